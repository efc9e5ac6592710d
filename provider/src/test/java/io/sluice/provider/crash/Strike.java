package io.sluice.provider.crash;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.LoggedRequest;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One blow at one of the requests that a thread sends to a container while it acts. A dead process sends nothing more,
 * and its thread is told to stop, until {@link #revived}.
 */
final class Strike implements AutoCloseable {
    private final Blow blow;
    private final int nth;
    private final Thread actor = Thread.currentThread();
    private final AtomicInteger counted = new AtomicInteger();
    private final AtomicReference<@Nullable LoggedRequest> struck = new AtomicReference<>();
    private final FaultRule silence;
    private final FaultRule rule;
    private volatile boolean acting;
    private volatile boolean dead;

    Strike(CosmosEmulator emulator, String container, Blow blow, int nth) {
        this.blow = blow;
        this.nth = nth;
        Predicate<LoggedRequest> sent = request -> acting
                && container.equals(request.container())
                && request.operation().isData();
        // First: what comes after the blow is not counted by the other one's luck.
        this.silence = emulator.faults().dropConnection(sent.and(request -> dead), 0);
        this.rule = blow.at(emulator.faults(), sent.and(this::isTheOne), 1);
    }

    private boolean isTheOne(LoggedRequest request) {
        if (dead || counted.incrementAndGet() != nth) {
            return false;
        }
        struck.set(request);
        if (blow.isDeath()) {
            dead = true;
            actor.interrupt();
        }
        return true;
    }

    /** From now on requests are sent by the process that is to be struck, or by those that look on. */
    void acting(boolean now) {
        acting = now;
    }

    boolean isDead() {
        return dead;
    }

    /** Another process goes on, which nothing befalls. */
    void revived() {
        dead = false;
        acting = false;
        if (!Thread.interrupted()) {
            throw new IllegalStateException("a process that died was not told to stop");
        }
        rule.remove();
        silence.remove();
    }

    /** The request that was struck; null when there were fewer. */
    @Nullable
    LoggedRequest struck() {
        return struck.get();
    }

    @Override
    public String toString() {
        var request = struck.get();
        return blow + " at request " + nth
                + (request == null ? "" : " (" + request.operation() + " " + request.body() + ")");
    }

    @Override
    public void close() {
        rule.remove();
        silence.remove();
    }
}
