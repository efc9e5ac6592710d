package io.sluice.relay.ledger;

import io.sluice.testkit.seed.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a run does; the same seed and settings give the same actions in the same order.
 *
 * @param seed of everything that is left to chance
 * @param relays that run at a time
 * @param runtimes that run at a time
 * @param watched whether one relay and one runtime are left unharmed and watched, and the servers with them
 * @param orders given at a steady rate, while the actions are taken
 * @param counts how often each action is taken
 * @param gap mean time between two actions
 * @param keep how long a finished order stays before it is deleted; zero if it is not
 * @param throttled how long three of ten queries and reads of the feed are refused
 * @param away how long Kafka or Cosmos is out of reach
 * @param dispatched whether relays announce work in Kafka and runtimes read that, instead of querying the store
 * @param command does the same once more
 */
record Plan(
        long seed,
        int relays,
        int runtimes,
        boolean watched,
        int orders,
        Counts counts,
        Duration gap,
        Duration keep,
        Duration throttled,
        Duration away,
        boolean dispatched,
        String command) {

    /** How often each action is taken. */
    record Counts(
            int kills,
            int runtimeKills,
            int pauses,
            int leaves,
            int splits,
            int merges,
            int lostCommits,
            int lostBatches,
            int outages,
            int throttles) {}

    /** What can be done to the pipeline. */
    enum Action {
        /** SIGKILL to a relay; another joins. */
        KILL,
        /** SIGKILL to a runtime; another joins. */
        KILL_RUNTIME,
        /** SIGSTOP to a relay until others have taken over, then SIGCONT. */
        PAUSE,
        /** SIGTERM to a relay; another joins. */
        LEAVE,
        /** A physical partition is cut in two. */
        SPLIT,
        /** Two neighbours become one. */
        MERGE,
        /** A commit is done, its answer is lost; the client asks again. */
        LOSE_COMMIT,
        /** The same, and every further answer, until the client gives up. */
        DOUBT_COMMIT,
        /** A batch is done, its answer is lost. */
        LOSE_BATCH,
        /** Three of ten queries and reads of the feed are refused for a while. */
        THROTTLE_READS,
        /** No connection to Kafka for a while, for relays and runtimes. */
        KAFKA_AWAY,
        /** No connection to Cosmos for a while, for relays and runtimes. */
        COSMOS_AWAY,
        /** Neither of them. */
        BOTH_AWAY
    }

    /** Every kind of problem, nothing deleted. */
    static Plan ledger(Settings settings) {
        return new Plan(
                settings.seed(),
                settings.number("relays", 3),
                settings.number("runtimes", 2),
                false,
                settings.number("orders", 1_200),
                new Counts(
                        settings.number("kills", 50),
                        settings.number("runtimeKills", 10),
                        settings.number("pauses", 8),
                        settings.number("leaves", 5),
                        settings.number("splits", 10),
                        settings.number("merges", 10),
                        settings.number("lostCommits", 12),
                        settings.number("lostBatches", 20),
                        settings.number("outages", 2),
                        settings.number("throttles", 1)),
                Duration.ofMillis(settings.number("gapMillis", 3_000)),
                Duration.ZERO,
                Duration.ofSeconds(settings.number("throttledSeconds", 60)),
                Duration.ofSeconds(settings.number("awaySeconds", 60)),
                settings.isSet("dispatched", true),
                settings.checkedCommand());
    }

    /** Kills alone, while the other relay and the other runtime are watched and finished orders are deleted. */
    static Plan soak(Settings settings) {
        double minutes = settings.decimal("minutes", 30);
        int killSeconds = settings.number("killSeconds", 20);
        int kills = (int) (60 * minutes / killSeconds);
        return new Plan(
                settings.seed(),
                2,
                2,
                true,
                (int) (minutes * settings.number("ordersPerMinute", 30)),
                new Counts(kills - kills / 2, kills / 2, 0, 0, 0, 0, 0, 0, 0, 0),
                Duration.ofSeconds(killSeconds),
                Duration.ofSeconds(15),
                Duration.ZERO,
                Duration.ZERO,
                settings.isSet("dispatched", true),
                settings.checkedCommand());
    }

    /** How long all actions take, at least. */
    Duration load() {
        return gap.multipliedBy(actions().size());
    }

    /** What happens, in order, spread unevenly over the load. */
    List<Step<Action>> steps() {
        return Step.spread(actions(), load(), seed);
    }

    private List<Action> actions() {
        var actions = new ArrayList<Action>();
        actions.addAll(Collections.nCopies(counts.kills(), Action.KILL));
        actions.addAll(Collections.nCopies(counts.runtimeKills(), Action.KILL_RUNTIME));
        actions.addAll(Collections.nCopies(counts.pauses(), Action.PAUSE));
        actions.addAll(Collections.nCopies(counts.leaves(), Action.LEAVE));
        actions.addAll(Collections.nCopies(counts.splits(), Action.SPLIT));
        actions.addAll(Collections.nCopies(counts.merges(), Action.MERGE));
        // Every fourth commit whose answer is lost stays in doubt.
        int doubts = (counts.lostCommits() + 3) / 4;
        actions.addAll(Collections.nCopies(counts.lostCommits() - doubts, Action.LOSE_COMMIT));
        actions.addAll(Collections.nCopies(doubts, Action.DOUBT_COMMIT));
        actions.addAll(Collections.nCopies(counts.lostBatches(), Action.LOSE_BATCH));
        actions.addAll(Collections.nCopies(counts.outages(), Action.KAFKA_AWAY));
        actions.addAll(Collections.nCopies(counts.outages(), Action.COSMOS_AWAY));
        actions.addAll(Collections.nCopies(counts.outages(), Action.BOTH_AWAY));
        actions.addAll(Collections.nCopies(counts.throttles(), Action.THROTTLE_READS));
        return actions;
    }
}
