package io.sluice.benchmarks.idle;

/**
 * The dispatchers that wait, and the store they wait on.
 *
 * @param dispatchers of turns in each process, and as many of activities
 * @param processes that share the store
 * @param physicalPartitions of the store
 * @param waiting instances in the store, for which nothing is due
 */
record IdleSetup(int dispatchers, int processes, int physicalPartitions, int waiting) {
    /** The name of its container. */
    String container() {
        return "idle-" + dispatchers + "-" + processes + "-" + waiting;
    }
}
