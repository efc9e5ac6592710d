package io.sluice.provider.kafka.demand;

import java.util.concurrent.TimeUnit;

/** How many announcements dispatchers are free for, shared by the readers of a subscription. Thread-safe. */
public final class Demand {
    private int free;
    private int fetching;

    /** The provider says how many workers are free. */
    public synchronized void request(int announcements) {
        free = Math.max(0, announcements);
        notifyAll();
    }

    /**
     * Begins a fetch when a worker is free that no other fetch is for; {@link #endFetch} ends it.
     *
     * @return false when there was none for so long
     */
    public synchronized boolean tryBeginFetch(long waitMillis) throws InterruptedException {
        if (!awaitUnmet(waitMillis)) {
            return false;
        }
        fetching++;
        return true;
    }

    /** Waits until a worker is free that no fetch is for. Returns false when there was none for so long. */
    public synchronized boolean awaitUnmet(long waitMillis) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        while (fetching >= free) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            if (leftMillis <= 0) {
                return false;
            }
            wait(leftMillis);
        }
        return true;
    }

    /** Begins a fetch that is under way already, whether or not a worker is free. */
    public synchronized void beginFetch() {
        fetching++;
    }

    /** Ends a fetch, whatever it brought. */
    public synchronized void endFetch() {
        fetching--;
        notifyAll();
    }

    /** Ends a fetch and takes a free worker for what it brought, as {@link #tryTake}. */
    public synchronized boolean endFetchAndTryTake() {
        boolean isTaken = tryTake();
        endFetch();
        return isTaken;
    }

    /** Takes a free worker, until the provider says otherwise. */
    public synchronized boolean tryTake() {
        if (free == 0) {
            return false;
        }
        free--;
        return true;
    }
}
