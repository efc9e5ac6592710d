package io.sluice.relay.command;

import org.jspecify.annotations.Nullable;

/**
 * The intake of commands of this replica.
 *
 * @param queued commands in their queue, repetitions included
 * @param refused commands that became dead letters
 * @param unanswered replies that were given up, as their topics did not accept them
 * @param problem why commands are not taken, of all partitions or of some; null when they are
 * @param parked commands that the store does not take now
 */
public record CommandStatus(
        long queued,
        long refused,
        long unanswered,
        @Nullable String problem,
        Parked parked) {
    static final CommandStatus NOTHING = new CommandStatus(0, 0, 0, null, new Parked(0, 0, 0, null));

    /**
     * Parked commands.
     *
     * @param count how many there are
     * @param sinceMillis when the one was parked that has been for longest; 0 when there is none
     * @param full number of partitions that pause, as they have no room to park more
     * @param problem which instances they are for, once that has lasted; null when there are none, or just now
     */
    public record Parked(
            long count,
            long sinceMillis,
            int full,
            @Nullable String problem) {
        /** How long the command has been parked that has been for longest, in seconds. */
        public double seconds(long nowMillis) {
            return count == 0 ? 0 : Math.max(0, nowMillis - sinceMillis) / 1000.0;
        }
    }
}
