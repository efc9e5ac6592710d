package io.sluice.provider.request;

import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the operations that are running, and lets none begin once it is closed. Thread-safe. */
final class RunningOperations {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private int running;
    private boolean closed;

    /**
     * One more operation begins.
     *
     * @throws ProviderException permanent when it is closed
     */
    void begin(String operation) {
        lock.lock();
        try {
            if (closed) {
                throw ProviderException.permanent(operation, operation + ": the provider is closed");
            }
            running++;
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            running--;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until nothing runs.
     *
     * @return how many still run: 0, unless the time was too short or the thread was interrupted, which sets its flag
     *     again
     */
    int awaitEnd(Duration atMost) {
        lock.lock();
        try {
            long nanos = TimeUnit.MILLISECONDS.toNanos(atMost.toMillis());
            while (running > 0 && nanos > 0) {
                nanos = ended.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return running();
    }

    private int running() {
        lock.lock();
        try {
            return running;
        } finally {
            lock.unlock();
        }
    }
}
