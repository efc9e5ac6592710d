package io.sluice.provider.cosmos;

import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Holds the first matching request at the emulator's door. Its sender gives it up in time, and it is applied when it is
 * let go: a request that arrives late.
 */
final class HeldRequest implements AutoCloseable {
    private static final int NEVER = Integer.MAX_VALUE;

    private final CosmosEmulator emulator;
    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicReference<@Nullable LoggedRequest> held = new AtomicReference<>();
    private final FaultRule rule;

    private HeldRequest(CosmosEmulator emulator, Predicate<LoggedRequest> which) {
        this.emulator = emulator;
        this.rule = emulator.faults().refuse(request -> which.test(request) && hold(request), NEVER, 500, 0);
    }

    static HeldRequest of(CosmosEmulator emulator, Predicate<LoggedRequest> which) {
        return new HeldRequest(emulator, which);
    }

    private boolean hold(LoggedRequest request) {
        if (held.compareAndSet(null, request)) {
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        return false;
    }

    void awaitHeld() {
        await().until(() -> held.get() != null);
    }

    boolean isNot(LoggedRequest request) {
        LoggedRequest one = held.get();
        return one == null || one.sequence() != request.sequence();
    }

    /** Returns when the request has been applied, or refused. */
    void letGo() {
        awaitHeld();
        open.countDown();
        await().until(() -> emulator.requests()
                .matching(request -> !isNot(request))
                .findAny()
                .isPresent());
    }

    @Override
    public void close() {
        rule.remove();
        open.countDown();
    }
}
