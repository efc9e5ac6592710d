package io.sluice.relay.soak;

import io.sluice.relay.Drain;
import io.sluice.relay.ledger.Audit.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What became of a failure.
 *
 * @param left what remained undone; {@link Drain#NOTHING} if all was done
 */
record FailureReport(
        String words,
        Span span,
        HealthLines health,
        OrderTimes times,
        int orders,
        SoakAudit.Report audit,
        Requests requests,
        String left) {
    static final String HEADER = "| failure | orders | store queried after | announced again after "
            + "| longest without a turn | slowest start before, after | slowest order before, after "
            + "| lost, duplicate, out of order, altered | left | timers late: median, p99, longest "
            + "| requests of runtimes a minute before, during | of them refused | without share groups, lines |\n"
            + "|---|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|";
    private static final int SHOWN = 20;

    /** When the run started, and when the failure began and ended. */
    record Span(long startMillis, long beginMillis, long endMillis) {}

    /** Of the emulator before the failure and during it, in how many milliseconds. */
    record Requests(RequestCounts before, long beforeMillis, RequestCounts during, long duringMillis) {
        static Requests of(Path log, Span span) throws IOException {
            long until = Math.max(span.endMillis(), span.beginMillis() + LEAST_MILLIS);
            long from = span.beginMillis() - LEAST_MILLIS / 2;
            return new Requests(
                    RequestCounts.between(log, from, span.beginMillis()),
                    span.beginMillis() - from,
                    RequestCounts.between(log, span.beginMillis(), until),
                    until - span.beginMillis());
        }

        private static final long LEAST_MILLIS = 30_000;

        String text() {
            return aMinute(before.runtimes(), beforeMillis) + ", " + aMinute(during.runtimes(), duringMillis) + " | "
                    + aMinute(before.refused(), beforeMillis) + ", " + aMinute(during.refused(), duringMillis);
        }

        private static long aMinute(long count, long millis) {
            return count * 60_000 / Math.max(1, millis);
        }
    }

    boolean isSound() {
        return audit.findings().isEmpty() && left.equals(Drain.NOTHING);
    }

    /** A line of the table, and the first findings below it. */
    String text() {
        long begin = span.beginMillis();
        return String.format(
                        Locale.ROOT,
                        "| %s | %d | %s | %s | %s | %s, %s | %s, %s | %d, %d, %d, %d | %s | %s, %s, %s | %s | %d |",
                        words,
                        orders,
                        since(begin, health.firstPolled(begin)),
                        since(span.endMillis(), health.lastAnnounced(span.endMillis())),
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
                        seconds(times.timersLate(1)),
                        requests.text(),
                        health.unsupported())
                + audit.findings().stream()
                        .limit(SHOWN)
                        .map(finding -> "\n" + finding.kind() + " " + finding.where())
                        .collect(Collectors.joining());
    }

    private static String since(long fromMillis, OptionalLong atMillis) {
        return atMillis.isPresent() ? seconds(atMillis.getAsLong() - fromMillis) : "–";
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
    }
}
