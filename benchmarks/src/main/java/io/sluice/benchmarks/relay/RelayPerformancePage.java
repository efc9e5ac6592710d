package io.sluice.benchmarks.relay;

import io.sluice.benchmarks.page.Machine;
import io.sluice.benchmarks.page.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Writes {@code docs/relay-performance.md}: how fast the relay is on this machine. Takes some five minutes. */
public final class RelayPerformancePage {
    private static final int RUNS = 5;
    private static final int INTENTS_PER_SECOND = 200;
    private static final int INTENTS = 1_000;
    private static final int TURNS = 400;
    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final List<Integer> REPLICAS = List.of(1, 2, 4);

    private RelayPerformancePage() {}

    /** Measures, prints the page, and writes it to a path. */
    public static void write(Path path) throws IOException {
        var page = page();
        System.out.println(page);
        Files.writeString(path, page);
    }

    private static String page() {
        var before = Machine.load();
        var rows = new ArrayList<String>();
        try (var bed = Bed.start()) {
            bed.share(1);
            rows.addAll(latency(new IntentLatency(bed)));
            rows.add(row(
                    "requests per range and minute of an idle relay",
                    "≤ 80",
                    Spread.of(RUNS, () -> IdleRequests.perRangeAndMinute(bed, WINDOW))
                            .text("%.0f")));
            for (int replicas : REPLICAS) {
                bed.share(replicas);
                rows.addAll(rate(replicas, new EventRate(bed)));
            }
        }
        try (var bed = Bed.start()) {
            bed.share(1);
            bed.loseKafka();
            rows.addAll(latencyAlone(new IntentLatency(bed)));
        }
        try (var bed = Bed.start()) {
            rows.add(row(
                    "takeover after `kill -9`, s",
                    "≤ 15",
                    Spread.of(RUNS, () -> Takeover.seconds(bed)).text("%.1f")));
        }
        return """
                # How fast the relay is

                Measured %s by `mvn -q -Pbench -Dbench=relay`, which writes this page anew: %s; load average %s before and %s after. Medians of
                %d runs, with the least and the greatest. Relays are processes of their own (`-Xmx256m`) with their default settings; emulator (%d physical
                partitions), broker, writer and reader share these processors with them.

                | | asked for | measured |
                |---|---:|---:|
                %s
                - **Intents** are written one by one by a process that leaves them to the relay, each from a source of its own; a run is %d intents. From the commit to
                  the target document, by the emulator's times.
                - **Kafka away**: its broker has ended and every key range has events that can't be published.
                - **From idle**: nothing was written for three seconds, and the relay looks at the feed once a second.
                - **Events** are a backlog of %d turns of 20 events, written while the replicas are paused; from the first one that a reader of committed records sees to
                  the last. All replicas share two processors with what they read from and write to: more of them are no faster here, and only the processor
                  time says what an event costs.
                - **Idle requests** are those of %d key ranges and %d leases within %d s; a query over several partitions counts once.
                - **Takeover** is from the kill of one of two relays until the other publishes all ranges and holds all leases. Sessions of the group and leases expire
                  after 9 s.
                """.formatted(
                        LocalDate.now(ZoneOffset.UTC),
                        Machine.description(),
                        before,
                        Machine.load(),
                        RUNS,
                        Bed.PHYSICAL_PARTITIONS,
                        String.join("", rows),
                        INTENTS,
                        TURNS,
                        Bed.RANGES,
                        Bed.PHYSICAL_PARTITIONS,
                        WINDOW.toSeconds());
    }

    private static List<String> latency(IntentLatency latency) {
        var runs = measured(() -> latency.atRate(INTENTS_PER_SECOND, INTENTS));
        var load = " of an intent at " + INTENTS_PER_SECOND + " a second, ms";
        return List.of(
                row(
                        "median latency" + load,
                        "≤ 200",
                        Spread.of(runs, IntentLatency.Figures::median).text("%.0f")),
                row(
                        "99th percentile of the latency" + load,
                        "≤ 1 000",
                        Spread.of(runs, IntentLatency.Figures::p99).text("%.0f")),
                row(
                        "longest latency" + load,
                        "–",
                        Spread.of(runs, IntentLatency.Figures::longest).text("%.0f")),
                row(
                        "processor time of the relay per intent, ms",
                        "–",
                        Spread.of(runs, IntentLatency.Figures::processor).text("%.2f")),
                row(
                        "latency from idle, ms",
                        "≤ 1 100",
                        Spread.of(RUNS, latency::fromIdle).text("%.0f")));
    }

    private static List<String> latencyAlone(IntentLatency latency) {
        var runs = measured(() -> latency.atRate(INTENTS_PER_SECOND, INTENTS));
        var load = " of an intent at " + INTENTS_PER_SECOND + " a second while Kafka is away, ms";
        return List.of(
                row(
                        "median latency" + load,
                        "–",
                        Spread.of(runs, IntentLatency.Figures::median).text("%.0f")),
                row(
                        "99th percentile of the latency" + load,
                        "≤ 1 000",
                        Spread.of(runs, IntentLatency.Figures::p99).text("%.0f")));
    }

    private static List<String> rate(int replicas, EventRate rate) {
        var runs = measured(() -> rate.of(TURNS));
        var by = replicas == 1 ? " one replica" : " " + replicas + " replicas";
        return List.of(
                row(
                        "events per second, exactly once," + by,
                        replicas == 1 ? "≥ 2 000" : "–",
                        Spread.of(runs, EventRate.Figures::perSecond).text("%,.0f")),
                row(
                        "processor time per event, ms," + by,
                        "–",
                        Spread.of(runs, EventRate.Figures::processor).text("%.3f")));
    }

    /** The first run only warms up. */
    private static <T> List<T> measured(Supplier<T> run) {
        return Stream.generate(run).limit(1 + RUNS).skip(1).toList();
    }

    private static String row(String what, String wanted, String measured) {
        return "| " + what + " | " + wanted + " | " + measured + " |\n";
    }
}
