package io.sluice.examples.durabletask;

import io.sluice.examples.ledger.LedgerReport;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a run came to.
 *
 * @param kills how many processes of each part were killed while there was work
 * @param surprises instances that did not end as without kills
 * @param deadLetters records of that topic
 * @param durations from start to end, of each instance
 */
record KillReport(
        KillPlan plan,
        Map<KillPlan.Part, Integer> kills,
        List<String> surprises,
        LedgerReport ledger,
        int deadLetters,
        List<Duration> durations,
        Duration time) {
    private static final int SHOWN = 20;
    private static final double MILLIS = 1_000.0;

    KillReport {
        kills = new EnumMap<>(kills);
        surprises = List.copyOf(surprises);
        durations = durations.stream().sorted().toList();
    }

    boolean isExact() {
        return surprises.isEmpty() && ledger.isExact() && deadLetters == 0;
    }

    private double seconds(int hundredths) {
        return durations.get((durations.size() - 1) * hundredths / 100).toMillis() / MILLIS;
    }

    /** A Markdown table, and the first findings below it. */
    String text() {
        String findings = Stream.concat(surprises.stream(), ledger.faults().stream())
                .limit(SHOWN)
                .collect(Collectors.joining("\n"));
        return String.format(
                Locale.ROOT,
                """
                | seed | %d |
                |---|---:|
                | orchestrations, with children | %d |
                | killed: hosts, workers, relays | %d, %d, %d |
                | ended otherwise than without kills | %d |
                | events stored, published | %d, %d |
                | findings of the ledger, dead letters | %d, %d |
                | start to end: p50, p99, longest | %.1f s, %.1f s, %.1f s |
                | time | %d s |
                %s""",
                plan.seed(),
                ledger.instances(),
                kills.getOrDefault(KillPlan.Part.HOST, 0),
                kills.getOrDefault(KillPlan.Part.WORKER, 0),
                kills.getOrDefault(KillPlan.Part.RELAY, 0),
                surprises.size(),
                ledger.storedEvents(),
                ledger.publishedEvents(),
                ledger.faults().size(),
                deadLetters,
                seconds(50),
                seconds(99),
                seconds(100),
                time.toSeconds(),
                findings);
    }
}
