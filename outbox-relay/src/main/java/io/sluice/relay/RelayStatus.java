package io.sluice.relay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a relay has done since it started, and where it stands.
 *
 * @param running whether it was started and not closed
 * @param intents the delivery of intents
 * @param history the publishing of histories
 * @param commands the intake of commands
 * @param paused parts that an operator has paused: {@code intents}, {@code events}, {@code commands}
 * @param deadLetters intents that lie in the store as dead letters, null when that isn't known
 * @param troubles what keeps it from working fully, each with its place; empty when all is well
 */
public record RelayStatus(
        boolean running,
        Intents intents,
        History history,
        Commands commands,
        List<String> paused,
        @Nullable Long deadLetters,
        List<String> troubles) {
    /** Of a relay that isn't running. */
    static final RelayStatus NOT_RUNNING = new RelayStatus(
            false,
            new Intents(0, 0, 0, 0, 0, 0, 0, new Dispatches(null, 0, null, null, "closed")),
            new History(0, List.of()),
            new Commands(0, 0, 0, null, null),
            List.of(),
            null,
            List.of());

    public RelayStatus {
        paused = List.copyOf(paused);
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
     * @param malformed documents met that say they are undelivered intents and can't be read: to be repaired or
     *     deleted; the log names each
     * @param latestLatencyMillis from creation to delivery of the newest one
     * @param dispatches where those stand that are not delivered
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
        Intents withDispatches(Dispatches newDispatches) {
            return new Intents(
                    delivered, retried, parked, failed, sourcesWaiting, malformed, latestLatencyMillis, newDispatches);
        }
    }

    /**
     * How many dispatches are in which state, see {@link io.sluice.provider.outbox.DispatchState}. Those of the store
     * are counted at every sweep.
     *
     * @param pending in the part of the store that this replica sweeps: to be delivered, never refused; null before the
     *     end of the first sweep
     * @param sent under way in this replica
     * @param retrying in that part: refused at least once, parked until their next try; null before the end of the
     *     first sweep
     * @param failed in the whole store: dead letters; null when that isn't known
     * @param circuit {@code closed}; {@code open} or {@code half_open} while the store is taken to be away
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
     * @param index of the range
     * @param state where its publisher stands
     * @param published events published by it
     * @param lagEvents written and not published at the latest look, null when that isn't known
     * @param lagSeconds age of the newest published event while others wait, 0 when none does, null when that isn't
     *     known
     */
    public record Range(
            int index,
            String state,
            long published,
            @Nullable Long lagEvents,
            @Nullable Long lagSeconds) {}

    /** A figure as a whole number; null when it is NaN. */
    static @Nullable Long known(double figure) {
        return Double.isNaN(figure) ? null : (Long) Math.round(figure);
    }

    /**
     * The intake of commands.
     *
     * @param queued commands put into their queues, repetitions included
     * @param refused commands that became dead letters
     * @param unanswered replies that were given up, as their topics did not take them
     * @param rejected commands that lie in the dead letter topic and were not sent again, by whichever replica they
     *     were refused; null when that isn't known
     * @param notLookedAt records of that topic that are too old to be looked at: {@code rejected} counts none of them;
     *     null when that isn't known
     */
    public record Commands(
            long queued,
            long refused,
            long unanswered,
            @Nullable Long rejected,
            @Nullable Long notLookedAt) {}
}
