package io.sluice.provider.cosmos.candidate;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The lock of a feed, and the wait for changes under it. */
final class Guard {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    /** Changes something under the lock, and wakes those that wait. */
    void change(Runnable change) {
        change(() -> {
            change.run();
            return true;
        });
    }

    /** As before, with a result. */
    <T> T change(Supplier<T> change) {
        lock.lock();
        try {
            T result = change.get();
            changed.signalAll();
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** Wakes those that wait; under the lock. */
    void wakeAll() {
        changed.signalAll();
    }

    /** Waits for a change, but not for longer than this; under the lock, which it releases meanwhile. */
    @SuppressWarnings("WaitNotInLoop") // the caller is the loop
    void awaitChange(long nanos) throws InterruptedException {
        changed.awaitNanos(nanos);
    }
}
