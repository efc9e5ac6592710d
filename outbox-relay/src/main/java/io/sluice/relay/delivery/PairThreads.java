package io.sluice.relay.delivery;

/** The threads on which pairs are delivered. Thread-safe. */
@FunctionalInterface
interface PairThreads {
    /** Runs work for a target, when there is a thread for its partition. */
    void run(String target, Runnable work);

    /** Whether all threads for the partition of a target were held for a second by what does not end. */
    default boolean isStuck(String target) {
        return false;
    }
}
