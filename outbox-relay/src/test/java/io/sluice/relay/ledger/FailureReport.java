package io.sluice.relay.ledger;

import io.sluice.relay.Drain;
import io.sluice.relay.ledger.audit.Audit;
import io.sluice.relay.ledger.audit.OrderTimes;
import io.sluice.testkit.judge.Finding.Kind;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What became of a failure.
 *
 * @param left what remained undone; {@link Drain#NOTHING} if all was done
 */
record FailureReport(String words, Span span, OrderTimes times, int orders, Audit.Report audit, String left) {
    static final String HEADER = "| failure | orders | longest without a turn | slowest start before, after "
            + "| slowest order before, after | lost, duplicate, out of order, altered | left "
            + "| timers late: median, p99, longest |\n|---|---:|---:|---:|---:|---:|---|---:|";
    private static final int SHOWN = 20;

    /** When the run started, and when the failure began. */
    record Span(long startMillis, long beginMillis) {}

    boolean isSound() {
        return audit.findings().isEmpty() && left.equals(Drain.NOTHING);
    }

    /** A line of the table, and the first findings below it. */
    String text() {
        long begin = span.beginMillis();
        return String.format(
                        Locale.ROOT,
                        "| %s | %d | %s | %s, %s | %s, %s | %d, %d, %d, %d | %s | %s, %s, %s |",
                        words,
                        orders,
                        seconds(times.longestStandstill(begin)),
                        seconds(times.slowestStart(span.startMillis(), begin)),
                        seconds(times.slowestStart(begin, Long.MAX_VALUE)),
                        seconds(times.slowestOrder(span.startMillis(), begin)),
                        seconds(times.slowestOrder(begin, Long.MAX_VALUE)),
                        audit.count(Kind.LOST),
                        audit.count(Kind.DUPLICATE),
                        audit.count(Kind.OUT_OF_ORDER),
                        audit.count(Kind.ALTERED),
                        left.equals(Drain.NOTHING) ? "nothing" : left,
                        seconds(times.timersLate(0.5)),
                        seconds(times.timersLate(0.99)),
                        seconds(times.timersLate(1)))
                + audit.findings().stream()
                        .limit(SHOWN)
                        .map(finding -> "\n" + finding)
                        .collect(Collectors.joining());
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
    }
}
