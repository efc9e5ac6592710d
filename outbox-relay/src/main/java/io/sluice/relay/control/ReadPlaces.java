package io.sluice.relay.control;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many reads of the change feed, for whose answers no memory is reserved, are under way at once. A range
 * that does not answer at once holds its place for long: so such ranges have a quarter of the places together, and
 * never wait in those of the others. Places are given in order of arrival. Thread-safe.
 */
public final class ReadPlaces {
    private static final int LEAST = 2;
    private static final int SLOW_PART = 4;
    private static final Duration STILL_WAITING = Duration.ofSeconds(1);

    private final Semaphore quick;
    private final Semaphore slow;
    private final Duration stillWaitingAfter;

    /** So many places, two at least. */
    public ReadPlaces(int places) {
        this(places, STILL_WAITING);
    }

    ReadPlaces(int places, Duration stillWaitingAfter) {
        int all = Math.max(LEAST, places);
        int ofSlow = Math.max(1, all / SLOW_PART);
        this.quick = new Semaphore(all - ofSlow, true);
        this.slow = new Semaphore(ofSlow, true);
        this.stillWaitingAfter = stillWaitingAfter;
    }

    /** A place until it is closed; to be closed once. */
    @FunctionalInterface
    public interface Place {
        void close();
    }

    /**
     * Waits for a place.
     *
     * @param isSlow whether the range is known not to answer at once
     * @param stillWaiting runs every second during the wait
     */
    public Place take(boolean isSlow, Runnable stillWaiting) throws InterruptedException {
        var places = isSlow ? slow : quick;
        while (!places.tryAcquire(stillWaitingAfter.toNanos(), TimeUnit.NANOSECONDS)) {
            stillWaiting.run();
        }
        return places::release;
    }
}
