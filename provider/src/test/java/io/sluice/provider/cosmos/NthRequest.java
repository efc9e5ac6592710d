package io.sluice.provider.cosmos;

import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stops the n-th matching request at the emulator's door, does something, and lets the request go on: what happens to
 * be between two requests of an operation, happens there. Requests of what is done are not counted.
 */
public final class NthRequest implements AutoCloseable {
    private static final int NEVER = Integer.MAX_VALUE;

    private final Predicate<LoggedRequest> which;
    private final int nth;
    private final Runnable what;
    private final AtomicInteger seen = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final FaultRule rule;
    private volatile boolean busy;
    private volatile boolean happened;

    private NthRequest(CosmosEmulator emulator, Predicate<LoggedRequest> which, int nth, Runnable what) {
        this.which = which;
        this.nth = nth;
        this.what = what;
        this.rule = emulator.faults().refuse(this::strikes, NEVER, 500, 0);
    }

    /** From now on, and once. */
    public static NthRequest doing(CosmosEmulator emulator, Predicate<LoggedRequest> which, int nth, Runnable what) {
        return new NthRequest(emulator, which, nth, what);
    }

    private boolean strikes(LoggedRequest request) {
        if (!busy && !happened && which.test(request) && seen.incrementAndGet() == nth) {
            busy = true;
            try {
                what.run();
            } catch (RuntimeException | AssertionError e) {
                failure.set(e);
            } finally {
                happened = true;
                busy = false;
            }
        }
        return false;
    }

    /**
     * Whether there was such a request; fails with what failed meanwhile. Waits for the end of what is being done: the
     * request may be one that nobody waits for.
     */
    public boolean happened() {
        await().until(() -> !busy);
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new AssertionError("what was done at request " + nth + " failed", thrown);
        }
        return happened;
    }

    @Override
    public void close() {
        rule.remove();
    }
}
