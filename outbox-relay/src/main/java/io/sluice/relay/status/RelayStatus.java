package io.sluice.relay.status;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a relay since its start, and its present state.
 *
 * @param running whether it was started and not closed
 * @param intents the delivery of intents
 * @param history the publishing of histories
 * @param commands the intake of commands
 * @param paused pipelines that an operator has paused: {@code intents}, {@code events}, {@code commands}
 * @param deadLetters intents in the store that are dead letters; null if unknown
 * @param problems faults that keep it from working fully, each with its place; empty if all is well
 */
public record RelayStatus(
        boolean running,
        Intents intents,
        History history,
        Commands commands,
        List<String> paused,
        @Nullable Long deadLetters,
        List<String> problems) {
    /** Of a relay that isn't running. */
    public static final RelayStatus NOT_RUNNING = new RelayStatus(
            false,
            new Intents(0, 0, 0, 0, 0, 0, 0, new Dispatches(null, 0, null, null, "closed")),
            new History(0, List.of()),
            new Commands(0, 0, 0, 0, null, null),
            List.of(),
            null,
            List.of());

    public RelayStatus {
        paused = List.copyOf(paused);
        problems = List.copyOf(problems);
    }

    /**
     * The delivery of intents.
     *
     * @param delivered target documents this replica created
     * @param retried deliveries that failed and are retried
     * @param parked deliveries that the store refused, retried later
     * @param failed intents given up
     * @param sourcesWaiting sources being drained or waiting for their next drain
     * @param malformed documents of undelivered intents that can't be parsed: to be repaired or deleted; the log names
     *     each
     * @param latestLatencyMillis from creation to delivery of the latest delivered intent
     * @param dispatches undelivered intents by state
     */
    public record Intents(
            long delivered,
            long retried,
            long parked,
            long failed,
            int sourcesWaiting,
            int malformed,
            long latestLatencyMillis,
            Dispatches dispatches) {
        /** The same with other dispatches. */
        public Intents withDispatches(Dispatches newDispatches) {
            return new Intents(
                    delivered, retried, parked, failed, sourcesWaiting, malformed, latestLatencyMillis, newDispatches);
        }
    }

    /**
     * The number of dispatches by state, see {@link io.sluice.provider.outbox.DispatchState}. Every sweep counts the
     * dispatches in the store.
     *
     * @param pending never refused, in the part of the store that this replica sweeps; null before the end of the first
     *     sweep
     * @param sent being delivered by this replica
     * @param retrying refused at least once and parked until the next attempt, in the same part; null before the end of
     *     the first sweep
     * @param failed dead letters of the whole store; null if unknown
     * @param circuit {@code closed}; {@code open} or {@code half_open} while the store does not answer
     */
    public record Dispatches(
            @Nullable Integer pending,
            int sent,
            @Nullable Integer retrying,
            @Nullable Long failed,
            String circuit) {}

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
     * @param range its name: the first digits of its bounds
     * @param state of its publisher
     * @param published events published by it
     * @param lagEvents written and not published at the latest measurement; null if unknown
     * @param lagSeconds age of the newest published event while others wait, 0 when none waits; null if unknown
     */
    public record Range(
            String range,
            String state,
            long published,
            @Nullable Long lagEvents,
            @Nullable Long lagSeconds) {}

    /** A figure as a whole number; null when it is NaN. */
    public static @Nullable Long known(double figure) {
        return Double.isNaN(figure) ? null : (Long) Math.round(figure);
    }

    /**
     * The intake of commands.
     *
     * @param queued commands put into their queues, repetitions included
     * @param refused commands that became dead letters
     * @param unanswered replies that were given up, as their topics did not accept them
     * @param parked commands of this replica's partitions that the store does not take now
     * @param rejected commands in the dead letter topic that were not sent again, refused by any replica; null if
     *     unknown
     * @param notRead older records of that topic, which are not read and so not counted in {@code rejected}; null
     *     if unknown
     */
    public record Commands(
            long queued,
            long refused,
            long unanswered,
            long parked,
            @Nullable Long rejected,
            @Nullable Long notRead) {}
}
