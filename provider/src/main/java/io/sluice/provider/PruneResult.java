package io.sluice.provider;

/**
 * What pruning removed.
 *
 * @param instancesProcessed instances checked, even where nothing was pruned
 */
public record PruneResult(long instancesProcessed, long executionsDeleted, long eventsDeleted) {
    /** Nothing. */
    public static final PruneResult NOTHING = new PruneResult(0, 0, 0);

    /** The sum of both. */
    public PruneResult plus(PruneResult other) {
        return new PruneResult(
                instancesProcessed + other.instancesProcessed,
                executionsDeleted + other.executionsDeleted,
                eventsDeleted + other.eventsDeleted);
    }
}
