package io.sluice.relay.delivery;

import java.util.concurrent.TimeUnit;

/** The threads on which pairs are delivered. Thread-safe. */
@FunctionalInterface
interface PairThreads {
    /** A delivery takes milliseconds: one that takes longer than this is slow. */
    long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** How the threads for a partition of the store are. */
    enum Pace {
        /** They come and go. */
        GOOD,
        /** One of them is slow: others may be. */
        SLOW,
        /** All of them are, and no work for the partition can begin. */
        STUCK
    }

    /** Runs work for a target, when there is a thread for its partition. */
    void run(String target, Runnable work);

    /** The work that runs on this thread comes on, and is not slow by what it did before. */
    default void moved() {}

    /** How the threads for the partition of a target are. */
    default Pace pace(String target) {
        return Pace.GOOD;
    }
}
