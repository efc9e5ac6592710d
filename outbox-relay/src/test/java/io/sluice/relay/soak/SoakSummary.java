package io.sluice.relay.soak;

import io.sluice.relay.ledger.Audit.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a run came to.
 *
 * @param kills of relays, of runtimes
 * @param endedAlone programs that ended before they were killed
 * @param leftOver messages, activities, intents and unfinished turns or deletions in the store, and dead letters
 */
record SoakSummary(
        SoakPlan plan,
        SoakAudit.Report report,
        Load load,
        List<Integer> kills,
        List<String> endedAlone,
        long leftOver,
        Samples samples) {
    private static final int SHOWN = 20;

    /**
     * What was given.
     *
     * @param time the load took
     * @param commands asked, each counted once
     * @param accepted of them
     * @param repeated how often one was sent again
     * @param refused replies that say no
     * @param waited how long orders waited because too many were unfinished
     * @param reads by an administrator
     */
    record Load(
            Duration time,
            int orders,
            int commands,
            int accepted,
            int repeated,
            List<String> refused,
            Duration waited,
            int reads) {}

    boolean isExact() {
        return report.findings().isEmpty()
                && leftOver == 0
                && load.refused().isEmpty()
                && load.accepted() == load.commands();
    }

    boolean isFlat() {
        return samples.verdicts().stream()
                .allMatch(verdict -> verdict.flatness().isFlat());
    }

    /** Nothing lost or repeated, nothing grows, nothing died that was not killed. */
    boolean isSound() {
        return isExact() && isFlat() && endedAlone.isEmpty();
    }

    /** Two Markdown tables, and the first findings below them. */
    String text() {
        return String.format(
                Locale.ROOT,
                """
                | seed | %d |
                |---|---:|
                | load | %d s, %d orders a minute |
                | orders waited because of %d unfinished | %d s |
                | orders | %d |
                | commands, accepted, asked again | %d, %d, %d |
                | reads by an administrator | %d |
                | kills of relays, of runtimes | %d, %d |
                | ended without being killed | %s |
                | events | %d |
                | intents | %d |
                | instances deleted | %d |
                | lost | %d |
                | duplicate | %d |
                | out of order | %d |
                | altered | %d |
                | left over, dead letters | %d |
                | longest from event to record | %.1f s |

                | | first third | middle third | last third | trend | may grow by | |
                |---|---:|---:|---:|---:|---:|---|
                %s
                %s%s""",
                plan.seed(),
                load.time().toSeconds(),
                plan.ordersPerMinute(),
                plan.mostInFlight(),
                load.waited().toSeconds(),
                load.orders(),
                load.commands(),
                load.accepted(),
                load.repeated(),
                load.reads(),
                kills.get(0),
                kills.get(1),
                endedAlone,
                report.events(),
                report.intents(),
                report.deletions(),
                report.count(Kind.LOST),
                report.count(Kind.DUPLICATE),
                report.count(Kind.OUT_OF_ORDER),
                report.count(Kind.ALTERED),
                leftOver,
                report.longestEventMillis() / 1_000.0,
                samples.verdicts().stream().map(SoakSummary::line).collect(Collectors.joining("\n")),
                report.findings().stream()
                        .limit(SHOWN)
                        .map(finding -> finding.kind() + " " + finding.where() + "\n")
                        .collect(Collectors.joining()),
                load.refused().stream()
                        .limit(SHOWN)
                        .map(refused -> "REFUSED " + refused + "\n")
                        .collect(Collectors.joining()));
    }

    private static String line(Samples.Verdict verdict) {
        var flatness = verdict.flatness();
        return String.format(
                Locale.ROOT,
                "| %s: %s | %.1f | %.1f | %.1f | %+.1f | %.1f | %s |",
                verdict.process(),
                verdict.measure().words(),
                flatness.first(),
                flatness.middle(),
                flatness.last(),
                flatness.rise(),
                flatness.allowance(),
                flatness.isFlat() ? "flat" : "GROWS");
    }
}
