package io.sluice.benchmarks.idle;

/**
 * Who waits, and where.
 *
 * @param dispatchers of turns in each process, and as many of activities
 * @param processes that share the store
 * @param physicalPartitions of the store
 * @param waiting instances in the store, for which nothing is due
 */
record Setup(int dispatchers, int processes, int physicalPartitions, int waiting) {
    /** Its container. */
    String container() {
        return "idle-" + dispatchers + "-" + processes + "-" + waiting;
    }
}
