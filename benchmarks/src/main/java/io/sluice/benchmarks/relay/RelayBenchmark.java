package io.sluice.benchmarks.relay;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.result.Budget;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** How fast the relay is on this machine. Takes some twelve minutes. */
public final class RelayBenchmark implements Benchmark {
    private static final int INTENTS_PER_SECOND = 200;
    private static final int INTENTS = 1_000;
    private static final int TURNS = 400;
    /** The processor time per intent falls until about the fourth run. */
    private static final int WARM_UPS = 4;

    private static final Duration WINDOW = Duration.ofSeconds(10);
    private static final String MEDIAN = "median latency of an intent";
    private static final String P99 = "99th percentile of the latency of an intent";
    private static final String LONGEST = "longest latency of an intent";
    private static final String INTENT_PROCESSOR = "processor time of the relay per intent";
    private static final String FROM_IDLE = "latency of an intent from idle";
    private static final String IDLE = "requests per range and minute of an idle relay";
    private static final String RATE = "events, exactly once";
    private static final String EVENT_PROCESSOR = "processor time per event";
    private static final String TAKEOVER = "takeover after `kill -9`";
    private static final String LEASES = "takeover of the leases, too";

    @Override
    public String name() {
        return "relay";
    }

    @Override
    public Section section() {
        return new Section(
                "How fast the relay is",
                """
                Relays are processes of their own (`-Xmx256m`) with their default settings; emulator (%d physical
                partitions), broker, writer and reader share these processors with them.
                """.formatted(RelayTestbed.PHYSICAL_PARTITIONS),
                List.of(
                        View.Listing.of(
                                MEDIAN,
                                P99,
                                LONGEST,
                                INTENT_PROCESSOR,
                                FROM_IDLE,
                                IDLE,
                                RATE,
                                EVENT_PROCESSOR,
                                AnnouncedRate.RATE,
                                AnnouncedRate.PROCESSOR,
                                TAKEOVER,
                                LEASES),
                        new View.Text("""
                                - **Intents** are written one by one by a process that leaves them to the relay, each
                                  from a source of its own; a run is %,d intents. From the commit to the target
                                  document, by the emulator's times.
                                - **Kafka away**: its broker has ended and every key range has events that can't be
                                  published.
                                - **From idle**: nothing was written for three seconds, and the relay looks at the feed
                                  once a second.
                                - **Events** are a backlog of %d turns of 20 events, written while the relay is paused;
                                  from the first one that a reader of committed records sees to the last.
                                - **Beside work**: each turn also leaves a message and an activity. Two relays work
                                  off the same backlogs by turns, and one of them announces the work in Kafka.
                                - **Idle requests** come from %d key ranges and %d leases within %d s; a query over
                                  several partitions counts once.
                                - **Takeover** is from the kill of one of two relays until the other publishes all
                                  ranges; sessions of the group expire after 9 s. Leases expire after 18 s: until then
                                  the readers of the history show the new intents.
                                """.formatted(
                                        INTENTS,
                                        TURNS,
                                        RelayTestbed.RANGES,
                                        RelayTestbed.PHYSICAL_PARTITIONS,
                                        WINDOW.toSeconds()))));
    }

    @Override
    public List<Figure> measure(Effort effort) {
        var figures = new ArrayList<Figure>();
        int runs = effort.runs();
        try (var bed = RelayTestbed.start()) {
            bed.share(1);
            figures.addAll(latency(new IntentLatency(bed), effort));
            figures.add(Figure.of(IDLE, "", Spread.of(runs, () -> IdleRequests.perRangeAndMinute(bed, window(effort))))
                    .within(Budget.atMost(80)));
            figures.addAll(rate(new EventRate(bed), effort));
        }
        figures.addAll(AnnouncedRate.measure(effort, effort.pick(TURNS, 10)));
        if (effort == Effort.WHOLE) {
            figures.addAll(withoutKafka(effort));
            figures.addAll(takeover(effort));
        }
        return figures;
    }

    private static Duration window(Effort effort) {
        return effort.pick(WINDOW, Duration.ofSeconds(1));
    }

    private static List<Figure> latency(IntentLatency latency, Effort effort) {
        int intents = effort.pick(INTENTS, 20);
        var runs = measured(effort, () -> latency.atRate(INTENTS_PER_SECOND, intents));
        return List.of(
                underLoad(MEDIAN, runs, IntentLatency.Figures::median).within(Budget.atMost(200)),
                underLoad(P99, runs, IntentLatency.Figures::p99).within(Budget.atMost(1_000)),
                underLoad(LONGEST, runs, IntentLatency.Figures::longest),
                underLoad(INTENT_PROCESSOR, runs, IntentLatency.Figures::processor),
                Figure.of(FROM_IDLE, "ms", Spread.of(effort.runs(), latency::fromIdle))
                        .within(Budget.atMost(1_100)));
    }

    private static Figure underLoad(
            String name, List<IntentLatency.Figures> runs, ToDoubleFunction<IntentLatency.Figures> figure) {
        return Figure.of(name, "ms", Spread.of(runs, figure)).at("load", INTENTS_PER_SECOND + " a second");
    }

    private static List<Figure> withoutKafka(Effort effort) {
        try (var bed = RelayTestbed.start()) {
            bed.share(1);
            bed.loseKafka();
            var latency = new IntentLatency(bed);
            var runs = measured(effort, () -> latency.atRate(INTENTS_PER_SECOND, INTENTS));
            return List.of(
                    underLoad(MEDIAN, runs, IntentLatency.Figures::median).at("kafka", "Kafka away"),
                    underLoad(P99, runs, IntentLatency.Figures::p99)
                            .at("kafka", "Kafka away")
                            .within(Budget.atMost(1_000)));
        }
    }

    private static List<Figure> takeover(Effort effort) {
        try (var bed = RelayTestbed.start()) {
            var runs = Stream.generate(() -> Takeover.afterKill(bed))
                    .limit(effort.runs())
                    .toList();
            return List.of(
                    Figure.of(TAKEOVER, "s", Spread.of(runs, Takeover.Figures::publishing))
                            .within(Budget.atMost(15)),
                    Figure.of(LEASES, "s", Spread.of(runs, Takeover.Figures::leases)));
        }
    }

    private static List<Figure> rate(EventRate rate, Effort effort) {
        int turns = effort.pick(TURNS, 10);
        var runs = measured(effort, () -> rate.of(turns));
        return List.of(
                Figure.of(RATE, "per second", Spread.of(runs, EventRate.Figures::perSecond))
                        .within(Budget.atLeast(2_000)),
                Figure.of(EVENT_PROCESSOR, "ms", Spread.of(runs, EventRate.Figures::processor)));
    }

    /** The first runs only warm up: until its code is compiled, a relay may need more processor time than there is. */
    private static <T> List<T> measured(Effort effort, Supplier<T> run) {
        int warmUps = effort.pick(WARM_UPS, 1);
        return Stream.generate(run).limit(warmUps + effort.runs()).skip(warmUps).toList();
    }
}
