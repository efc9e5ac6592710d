package io.sluice.examples.runtime;

import java.util.concurrent.atomic.LongAdder;

/** What a runtime has done so far. */
public final class RuntimeCounters {
    private final LongAdder turnsFetched = new LongAdder();
    private final LongAdder turnsAcked = new LongAdder();
    private final LongAdder turnsFailed = new LongAdder();
    private final LongAdder activitiesFetched = new LongAdder();
    private final LongAdder activitiesAcked = new LongAdder();

    /** Creates counters at zero. */
    public RuntimeCounters() {}

    /** Turns taken from the store. */
    public long turnsFetched() {
        return turnsFetched.sum();
    }

    /** Turns committed. */
    public long turnsAcked() {
        return turnsAcked.sum();
    }

    /** Turns whose ack was refused, or failed more often than it is retried. */
    public long turnsFailed() {
        return turnsFailed.sum();
    }

    /** Activities taken from the store. */
    public long activitiesFetched() {
        return activitiesFetched.sum();
    }

    /** Activities completed. */
    public long activitiesAcked() {
        return activitiesAcked.sum();
    }

    void turnFetched() {
        turnsFetched.increment();
    }

    void turnAcked() {
        turnsAcked.increment();
    }

    void turnFailed() {
        turnsFailed.increment();
    }

    void activityFetched() {
        activitiesFetched.increment();
    }

    void activityAcked() {
        activitiesAcked.increment();
    }
}
