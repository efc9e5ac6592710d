package io.sluice.durabletask.dispatch;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** When a lock lapses, as far as this process knows: counted from before the request that took it. Thread-safe. */
final class LockEnd {
    private final LongSupplier nanoTime;
    private final long takenAtNanos;
    private final AtomicBoolean isRenewing = new AtomicBoolean();
    private volatile long renewAtNanos;
    private volatile long endNanos;

    private LockEnd(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.takenAtNanos = nanoTime.getAsLong();
    }

    /** Of a lock that was asked for then. */
    static LockEnd from(LongSupplier nanoTime, long askedAtNanos, DispatchTiming timing) {
        LockEnd end = new LockEnd(nanoTime);
        end.set(askedAtNanos, timing);
        return end;
    }

    private void set(long askedAtNanos, DispatchTiming timing) {
        endNanos = askedAtNanos + timing.lock().toNanos();
        renewAtNanos = askedAtNanos + timing.renewal().toNanos();
    }

    boolean isDue() {
        return nanoTime.getAsLong() - renewAtNanos >= 0 && !isRenewing.get();
    }

    /** True for one of those who want to renew it at the same time; who gets it calls {@link #renew}. */
    boolean startRenewal() {
        return isRenewing.compareAndSet(false, true);
    }

    void renew(DispatchTiming timing, Runnable request) {
        try {
            long askedAt = nanoTime.getAsLong();
            request.run();
            set(askedAt, timing);
        } finally {
            isRenewing.set(false);
        }
    }

    /** Nanoseconds since the item was taken. */
    long sinceTaken() {
        return nanoTime.getAsLong() - takenAtNanos;
    }

    boolean isOver() {
        return left().isZero();
    }

    /** What is left of it; zero when it is over. */
    Duration left() {
        return Duration.ofNanos(Math.max(0, endNanos - nanoTime.getAsLong()));
    }
}
