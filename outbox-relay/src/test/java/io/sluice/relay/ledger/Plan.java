package io.sluice.relay.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What a run does; the same seed and settings give the same actions in the same order.
 *
 * @param seed of everything that is left to chance
 * @param replicas relays that run at a time
 * @param instances of the load
 * @param orders given to them
 * @param filling events per order beside those that say something
 * @param counts how often each action is taken
 * @param gap mean time between two actions
 * @param throttled how long three of ten writes of leases are refused
 * @param away how long Kafka or Cosmos is out of reach
 */
record Plan(
        long seed,
        int replicas,
        int instances,
        int orders,
        int filling,
        Counts counts,
        Duration gap,
        Duration throttled,
        Duration away) {
    static final int INTENTS_PER_ORDER = 4;

    /** How often each action is taken. */
    record Counts(
            int kills, int pauses, int leaves, int splits, int merges, int lostCommits, int lostBatches, int outages) {}

    /** What can be done to the pipeline. */
    enum Action {
        /** SIGKILL; another replica joins. */
        KILL,
        /** SIGSTOP until others have taken over, then SIGCONT. */
        PAUSE,
        /** SIGTERM; another replica joins. */
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
        /** Three of ten writes of leases are refused for a while. */
        THROTTLE_LEASES,
        /** No connection to Kafka for a while. */
        KAFKA_AWAY,
        /** No connection to Cosmos for a while, for relays and runtimes. */
        COSMOS_AWAY,
        /** Neither of them. */
        BOTH_AWAY
    }

    /**
     * An action and its circumstances.
     *
     * @param after the one before
     * @param choice what it is done to, modulo what there is
     */
    record Step(Action action, Duration after, int choice) {}

    /** The settings of {@code -Dledger.<name>}, those of the long run by default. */
    static Plan fromProperties() {
        return new Plan(
                Long.getLong("ledger.seed", new Random().nextInt(1_000_000)),
                Integer.getInteger("ledger.replicas", 3),
                Integer.getInteger("ledger.instances", 200),
                Integer.getInteger("ledger.orders", 2_700),
                Integer.getInteger("ledger.filling", 32),
                new Counts(
                        Integer.getInteger("ledger.kills", 50),
                        Integer.getInteger("ledger.pauses", 8),
                        Integer.getInteger("ledger.leaves", 5),
                        Integer.getInteger("ledger.splits", 10),
                        Integer.getInteger("ledger.merges", 10),
                        Integer.getInteger("ledger.lostCommits", 12),
                        Integer.getInteger("ledger.lostBatches", 20),
                        Integer.getInteger("ledger.outages", 2)),
                Duration.ofMillis(Integer.getInteger("ledger.gapMillis", 3_000)),
                Duration.ofSeconds(Integer.getInteger("ledger.throttledSeconds", 60)),
                Duration.ofSeconds(Integer.getInteger("ledger.awaySeconds", 60)));
    }

    /** What happens, in order. */
    List<Step> steps() {
        var random = new Random(seed);
        var actions = new ArrayList<Action>();
        actions.addAll(Collections.nCopies(counts.kills(), Action.KILL));
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
        actions.add(Action.THROTTLE_LEASES);
        Collections.shuffle(actions, random);
        return actions.stream()
                .map(action -> new Step(
                        action,
                        Duration.ofMillis((long) (gap.toMillis() * 2 * random.nextDouble())),
                        random.nextInt(1 << 20)))
                .toList();
    }

    Turn.Load load() {
        return new Turn.Load(seed, instances, INTENTS_PER_ORDER, filling);
    }
}
