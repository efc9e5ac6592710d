package io.sluice.benchmarks.outbox;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.relay.RelayTestbed;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import io.sluice.benchmarks.store.RequestCost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** How soon an intent reaches its target by each way there is, and what that costs. Takes some four minutes. */
public final class OutboxBenchmark implements Benchmark {
    static final String WAY = "way";
    static final String RATE = "intents a second";
    static final String REQUESTS = "requests for each intent";
    static final String SHORTEST = "least latency";

    private static final String MEDIAN = "median latency";
    private static final String P99 = "99th percentile";
    private static final String LONGEST = "longest";
    private static final String UNITS = "RU for each intent";
    private static final String IDLE_REQUESTS = "requests an idle minute";
    private static final String IDLE_UNITS = "RU an idle minute";
    private static final String FROM_IDLE = "one, from idle";
    private static final String MILLIS = "ms";

    private static final int FAST = 200;
    private static final int SLOW = 20;
    private static final int INTENTS_FAST = 400;
    private static final int INTENTS_SLOW = 50;
    private static final Duration WINDOW = Duration.ofSeconds(4);
    private static final int FEW = 5;

    @Override
    public String name() {
        return "outbox";
    }

    @Override
    public Section section() {
        return new Section(
                "How an intent reaches its target",
                """
                A turn's ack commits one intent, to start another instance. **Own try**: the same ack delivers it.
                **Relay**: the ack leaves it to a relay, a process of its own. **Polling**: the ack leaves it to a
                reconciler as the Rust provider has it (every %d s all pending intents at least %d s old, one by one),
                which exists in these benchmarks alone. Latency is from the commit to the target document, by the
                emulator's times, on %d physical partitions. A run is %d intents at 20 a second and %d at 200.
                """.formatted(
                                PollingReconciler.INTERVAL.toSeconds(),
                                PollingReconciler.THRESHOLD.toSeconds(),
                                RelayTestbed.PHYSICAL_PARTITIONS,
                                INTENTS_SLOW,
                                INTENTS_FAST),
                List.of(
                        View.Table.of(List.of(WAY, RATE), SHORTEST, MEDIAN, P99, LONGEST, REQUESTS, UNITS),
                        View.Table.of(List.of(WAY), IDLE_REQUESTS, IDLE_UNITS),
                        new View.Text("""
                                - **Requests and RU** are all that were sent from the first commit until the last intent
                                  was deleted, without the commits themselves; a relay's looks at the change feed, its
                                  leases and its publishing of the turns' history are among them.
                                - **The reconciler's requests** are fewer, since it writes no receipt: a document that
                                  was consumed before its intent could be deleted is created again, which receipts
                                  prevent.
                                - **Idle** is what each asks while nothing is written, seen through windows of %d s; the
                                  relay reads the change feed of all key ranges for their events too.
                                """.formatted(WINDOW.toSeconds()))));
    }

    @Override
    public List<Figure> measure(Effort effort) {
        var figures = new ArrayList<Figure>();
        for (var way :
                effort.pick(List.of(DeliveryPath.values()), List.of(DeliveryPath.OWN_TRY, DeliveryPath.POLLING))) {
            figures.addAll(effort == Effort.WHOLE ? whole(way, effort.runs()) : smallest(way));
        }
        return figures;
    }

    private static List<Figure> smallest(DeliveryPath way) {
        try (var trial = new DeliveryRun(way, FEW)) {
            var figures = new ArrayList<>(at(FAST, List.of(trial.atRate(FAST, FEW))));
            figures.addAll(idle(List.of(trial.idle(PollingReconciler.INTERVAL)), PollingReconciler.INTERVAL));
            return figures.stream().map(figure -> figure.at(WAY, way)).toList();
        }
    }

    private static List<Figure> whole(DeliveryPath way, int runs) {
        int each = 1 + INTENTS_SLOW + INTENTS_FAST;
        var figures = new ArrayList<Figure>();
        try (var trial = new DeliveryRun(way, runs * each + INTENTS_FAST)) {
            trial.atRate(FAST, INTENTS_FAST); // warms up
            var idle = runs(runs, () -> trial.idle(WINDOW));
            figures.addAll(idle(idle, WINDOW));
            figures.addAll(at(FROM_IDLE, runs(runs, trial::fromIdle)));
            figures.addAll(at(SLOW, runs(runs, () -> trial.atRate(SLOW, INTENTS_SLOW))));
            figures.addAll(at(FAST, runs(runs, () -> trial.atRate(FAST, INTENTS_FAST))));
        }
        return figures.stream().map(figure -> figure.at(WAY, way)).toList();
    }

    private static <T> List<T> runs(int count, Supplier<T> run) {
        return Stream.generate(run).limit(count).toList();
    }

    private static List<Figure> idle(List<RequestCost> costs, Duration window) {
        double windows = (double) Duration.ofMinutes(1).toMillis() / window.toMillis();
        return List.of(
                Figure.of(IDLE_REQUESTS, "", Spread.of(costs, cost -> Math.round(cost.requests() * windows))),
                Figure.of(IDLE_UNITS, "", Spread.of(costs, cost -> Math.round(cost.requestUnits() * windows))));
    }

    private static List<Figure> at(Object rate, List<Deliveries> runs) {
        var figures = new ArrayList<Figure>();
        figures.add(Figure.of(SHORTEST, MILLIS, Spread.of(runs, run -> run.percentile(0))));
        figures.add(Figure.of(MEDIAN, MILLIS, Spread.of(runs, run -> run.percentile(50))));
        figures.add(Figure.of(P99, MILLIS, Spread.of(runs, run -> run.percentile(99))));
        figures.add(Figure.of(LONGEST, MILLIS, Spread.of(runs, run -> run.percentile(100))));
        figures.add(Figure.of(
                REQUESTS, "", Spread.of(runs, run -> each(run, run.cost().requests()))));
        figures.add(Figure.of(
                UNITS, "", Spread.of(runs, run -> each(run, run.cost().requestUnits()))));
        return figures.stream().map(figure -> figure.at(RATE, rate)).toList();
    }

    private static double each(Deliveries run, double all) {
        return all / run.settled();
    }
}
