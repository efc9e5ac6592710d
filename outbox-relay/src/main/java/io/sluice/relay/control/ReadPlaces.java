package io.sluice.relay.control;

/**
 * Limits how many reads of the change feed are under way at once, as an answer may be much larger than what was
 * reserved for it. A range that does not answer at once holds its place for long: so such ranges have a quarter of the
 * places together, and a slow range never waits in a place of a quick one. Places are given in order of arrival.
 * Thread-safe.
 */
public final class ReadPlaces {
    private static final int LEAST = 2;
    private static final int SLOW_PART = 4;

    private final MemoryBudget quick;
    private final MemoryBudget slow;

    /** So many places, two at least. */
    public ReadPlaces(int places) {
        int all = Math.max(LEAST, places);
        int ofSlow = Math.max(1, all / SLOW_PART);
        this.quick = new MemoryBudget(all - ofSlow);
        this.slow = new MemoryBudget(ofSlow);
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
        return (isSlow ? slow : quick).reserve(1, stillWaiting)::close;
    }
}
