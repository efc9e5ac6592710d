package io.sluice.relay.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a run came to.
 *
 * @param leftOver intents that nobody delivered, and dead letters
 * @param takeovers what each takeover took, the shortest first
 * @param time the whole run took
 */
record Summary(
        Plan plan, Audit.Report report, long leftOver, Troubles troubles, List<Duration> takeovers, Duration time) {
    private static final int SHOWN = 20;

    /** What was done to the pipeline. */
    record Troubles(
            int kills, int zombies, int leaves, int splits, int merges, int lostCommits, int lostBatches, int outages) {
        static Troubles of(Troublemaker trouble, int lostCommits) {
            return new Troubles(
                    trouble.done(Plan.Action.KILL),
                    trouble.done(Plan.Action.PAUSE),
                    trouble.done(Plan.Action.LEAVE),
                    trouble.done(Plan.Action.SPLIT),
                    trouble.done(Plan.Action.MERGE),
                    lostCommits,
                    trouble.done(Plan.Action.LOSE_BATCH),
                    trouble.done(Plan.Action.KAFKA_AWAY)
                            + trouble.done(Plan.Action.COSMOS_AWAY)
                            + trouble.done(Plan.Action.BOTH_AWAY));
        }
    }

    boolean isExact() {
        return report.findings().isEmpty() && leftOver == 0;
    }

    Duration longestTakeover() {
        return takeovers.isEmpty() ? Duration.ZERO : takeovers.get(takeovers.size() - 1);
    }

    private Duration medianTakeover() {
        return takeovers.isEmpty() ? Duration.ZERO : takeovers.get(takeovers.size() / 2);
    }

    /** A Markdown table, and the first findings below it. */
    String text() {
        var findings = report.findings().stream()
                .limit(SHOWN)
                .map(finding -> finding.kind() + " " + finding.where() + "\n")
                .collect(Collectors.joining());
        return String.format(
                Locale.ROOT,
                """
                | seed | %d |
                |---|---:|
                | intents | %d |
                | events | %d |
                | kills | %d |
                | zombies | %d |
                | leaves | %d |
                | splits | %d |
                | merges | %d |
                | lost answers to commits | %d |
                | lost answers to batches | %d |
                | leases throttled, 3 of 10 writes | %d s |
                | Kafka, Cosmos or both away | %d times %d s |
                | lost | %d |
                | duplicate | %d |
                | out of order | %d |
                | altered | %d |
                | intents left, dead letters | %d |
                | takeovers: median, longest | %.1f s, %.1f s |
                | longest from event to record | %.1f s |
                | time | %d s |
                %s""",
                plan.seed(),
                report.intents(),
                report.events(),
                troubles.kills(),
                troubles.zombies(),
                troubles.leaves(),
                troubles.splits(),
                troubles.merges(),
                troubles.lostCommits(),
                troubles.lostBatches(),
                plan.throttled().toSeconds(),
                troubles.outages(),
                plan.away().toSeconds(),
                report.count(Audit.Kind.LOST),
                report.count(Audit.Kind.DUPLICATE),
                report.count(Audit.Kind.OUT_OF_ORDER),
                report.count(Audit.Kind.ALTERED),
                leftOver,
                medianTakeover().toMillis() / 1_000.0,
                longestTakeover().toMillis() / 1_000.0,
                report.longestEventMillis() / 1_000.0,
                time.toSeconds(),
                findings);
    }
}
