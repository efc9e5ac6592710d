package io.sluice.relay;

import java.util.List;

/**
 * What a relay has done since it started, and where it stands.
 *
 * @param running whether it was started and not closed
 * @param intents the delivery of intents
 * @param history the publishing of histories
 * @param commands the intake of commands
 * @param troubles what keeps it from working fully, each with its place; empty when all is well
 */
public record RelayStatus(boolean running, Intents intents, History history, Commands commands, List<String> troubles) {
    public RelayStatus {
        troubles = List.copyOf(troubles);
    }

    /**
     * The delivery of intents.
     *
     * @param delivered target documents this replica created
     * @param retried deliveries that met trouble and are tried again
     * @param parked deliveries the store refused, put off
     * @param failed given up for good
     * @param sourcesWaiting sources being worked on or waiting for their time
     * @param latestLatencyMillis from creation to delivery of the newest one
     */
    public record Intents(
            long delivered, long retried, long parked, long failed, int sourcesWaiting, long latestLatencyMillis) {}

    /**
     * The publishing of histories.
     *
     * @param published events published by this replica's present publishers
     * @param ranges key ranges this replica owns
     */
    public record History(long published, List<Range> ranges) {
        public History {
            ranges = List.copyOf(ranges);
        }
    }

    /**
     * A key range this replica owns.
     *
     * @param index of the range
     * @param state where its publisher stands
     * @param published events published by it
     * @param lagSeconds age of the newest document read when it was read last, -1 before the first
     */
    public record Range(int index, String state, long published, long lagSeconds) {}

    /**
     * The intake of commands.
     *
     * @param queued commands put into their queues, repetitions included
     * @param refused commands that became dead letters
     */
    public record Commands(long queued, long refused) {}
}
