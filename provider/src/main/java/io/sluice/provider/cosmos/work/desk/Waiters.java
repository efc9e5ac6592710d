package io.sluice.provider.cosmos.work.desk;

import io.sluice.provider.request.Call;
import io.sluice.provider.request.Failures;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The fetches of a desk, of which those wait that have nothing to do. One that waits wakes when something becomes due;
 * while none waits, a timer does. Guarded by the desk's lock.
 */
final class Waiters {
    private final ReentrantLock lock;
    private final LongSupplier nanoTime;
    private final LongSupplier nanosUntilDue;
    /** Where nothing is announced, nothing is due but to fetches. */
    private final @Nullable DueTimer timer;

    private final Map<Long, Waiter> all = new HashMap<>();
    /** Of those that wait, the one that wakes when something becomes due. */
    private @Nullable Waiter watcher;

    private boolean closed;

    /**
     * @param nanosUntilDue until something is due; {@link Long#MAX_VALUE} for never
     * @param timer null where what becomes due while none waits can wait for the next that comes
     */
    Waiters(ReentrantLock lock, LongSupplier nanoTime, LongSupplier nanosUntilDue, @Nullable DueTimer timer) {
        this.lock = lock;
        this.nanoTime = nanoTime;
        this.nanosUntilDue = nanosUntilDue;
        this.timer = timer;
    }

    Waiter begin(long number, long deadlineNanos) {
        Waiter begun = new Waiter(deadlineNanos);
        all.put(number, begun);
        return begun;
    }

    void end(long number) {
        all.remove(number);
    }

    void wake(long number) {
        Waiter waiting = all.get(number);
        if (waiting != null) {
            waiting.wake();
        }
    }

    /** Something may become due earlier than before. */
    void dueChanged() {
        if (watcher != null) {
            if (nanosUntilDue.getAsLong() < watcher.nanosAwaited()) {
                watcher.wake();
            }
        } else if (timer != null && !closed) {
            timer.runWithin(nanosUntilDue.getAsLong());
        }
    }

    /** What was due is done now, whoever is here. */
    void timerBegan() {
        if (timer != null) {
            timer.began();
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Nobody waits any more, now or later. */
    void close() {
        closed = true;
        all.values().forEach(Waiter::wake);
        if (timer != null) {
            timer.close();
        }
    }

    /** One fetch. Waits by one thread. */
    final class Waiter {
        private final long deadlineNanos;
        private final Condition changed = lock.newCondition();
        private boolean isWoken;
        private boolean isWaiting;
        private long awaitedUntilNanos;

        private Waiter(long deadlineNanos) {
            this.deadlineNanos = deadlineNanos;
        }

        /** Whether its time is over. */
        boolean isOver() {
            return nanosLeft() <= 0;
        }

        /** It asks: what it is woken for from now on is news. */
        void asks() {
            isWoken = false;
        }

        /** Waits, unless it was woken since it asked last. */
        @SuppressWarnings("WaitNotInLoop") // the caller is the loop
        void await(Call call) {
            lock.lock();
            try {
                if (isWoken || closed) {
                    return;
                }
                if (watcher == null) {
                    watcher = this;
                }
                boolean isTimed = watcher == this || isOver();
                long nanos = isTimed ? nanosUntilDue.getAsLong() : Long.MAX_VALUE;
                if (!isOver()) {
                    nanos = Math.min(nanos, nanosLeft());
                }
                isWaiting = true;
                awaitedUntilNanos = nanoTime.getAsLong() + nanos;
                var unused = changed.awaitNanos(nanos);
            } catch (InterruptedException e) {
                throw Failures.interrupted(call, e);
            } finally {
                isWaiting = false;
                leaveWatch();
                lock.unlock();
            }
        }

        private void leaveWatch() {
            if (watcher == this) {
                watcher = null;
                all.values().stream()
                        .filter(other -> other.isWaiting)
                        .findFirst()
                        .ifPresent(Waiter::wake);
                dueChanged();
            }
        }

        private void wake() {
            isWoken = true;
            changed.signalAll();
        }

        private long nanosAwaited() {
            return awaitedUntilNanos - nanoTime.getAsLong();
        }

        private long nanosLeft() {
            return deadlineNanos - nanoTime.getAsLong();
        }
    }
}
