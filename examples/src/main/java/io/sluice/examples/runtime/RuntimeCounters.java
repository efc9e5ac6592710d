package io.sluice.examples.runtime;

import java.util.concurrent.atomic.LongAdder;

/** Counts the turns and activities that a runtime fetched and acked, and its failed calls of the store. */
public final class RuntimeCounters {
    final LongAdder turnsFetched = new LongAdder();
    final LongAdder turnsAcked = new LongAdder();
    final LongAdder activitiesFetched = new LongAdder();
    final LongAdder activitiesAcked = new LongAdder();
    final LongAdder storeFailures = new LongAdder();

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

    /** Activities taken from the store. */
    public long activitiesFetched() {
        return activitiesFetched.sum();
    }

    /** Activities completed. */
    public long activitiesAcked() {
        return activitiesAcked.sum();
    }

    /** Calls that the store refused permanently, or more often than they are retried. */
    public long storeFailures() {
        return storeFailures.sum();
    }
}
