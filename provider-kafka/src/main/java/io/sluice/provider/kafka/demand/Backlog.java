package io.sluice.provider.kafka.demand;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Whether a group is behind because of records that are for others, or come too late, as its readers find: one after
 * the other, which takes them milliseconds each. Thread-safe.
 */
public final class Backlog {
    /** So many in a row are worth another client. */
    private static final int LEAST = 50;
    /** What is younger comes as it is written: by clocks that differ by less than this. */
    private static final long BEHIND_MILLIS = Duration.ofSeconds(5).toMillis();
    /** For so long the client is kept although it has nothing to do. */
    private static final long KEPT_NANOS = Duration.ofSeconds(10).toNanos();

    private int inARow;
    private boolean isWanted;
    private long neededNanos;

    /** A record that no dispatcher of this group takes. */
    public synchronized void foreign(long ageMillis) {
        inARow = ageMillis < BEHIND_MILLIS ? 0 : inARow + 1;
        if (inARow >= LEAST) {
            isWanted = true;
            neededNanos = System.nanoTime();
            notifyAll();
        }
    }

    /** A record that a worker of this group may take, which nobody but a reader may do. */
    public synchronized void own() {
        inARow = 0;
    }

    /** The group is behind no more. */
    public synchronized void caughtUp() {
        inARow = 0;
        isWanted = false;
    }

    /** Whether a client is needed that takes many of them at once, or was lately. */
    public synchronized boolean isWanted() {
        return isWanted && System.nanoTime() - neededNanos < KEPT_NANOS;
    }

    /** Waits until readers have found many in a row. Returns false when they had not for so long. */
    public synchronized boolean await(long waitMillis) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        while (inARow < LEAST) {
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
            if (leftMillis <= 0) {
                return false;
            }
            wait(leftMillis);
        }
        return true;
    }
}
