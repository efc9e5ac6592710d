package io.sluice.benchmarks.history;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.benchmarks.store.RequestCost;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a turn costs as the history of its instance grows. Takes some two minutes. */
public final class HistoryBenchmark implements Benchmark {
    private static final List<Integer> LENGTHS = List.of(10, 100, 1_000, 10_000);
    private static final int TURNS = 50;
    private static final int WARM_UPS = 200;
    private static final String LENGTH = "events";
    private static final String CACHE = "cache";
    private static final String WARM = "warm";
    private static final String COLD = "cold";
    private static final String MEDIAN = "median";
    private static final String P99 = "99th percentile";
    private static final String REQUESTS = "requests";
    private static final String UNITS = "RU";
    private static final String BYTES = "bytes";

    @Override
    public String name() {
        return "history";
    }

    @Override
    public Section section() {
        return new Section(
                "What a long history costs",
                """
                Fetch and ack of a turn that consumes a message and adds nothing, on an instance with so many events.
                **Warm** is the process that ran the turn before; **cold** is one that has never seen the instance and
                reads all of it. A run is %d turns, whose slowest is its 99th percentile. The emulator runs in the same
                process; requests, RU and bytes are given for one turn.
                """.formatted(TURNS),
                List.of(View.Table.of(List.of(LENGTH, CACHE), MEDIAN, P99, REQUESTS, UNITS, BYTES)));
    }

    @Override
    public List<Figure> measure(Effort effort) {
        var figures = new ArrayList<Figure>();
        try (var emulated = EmulatedStore.start(1);
                var store = CosmosStore.open(emulated.container("history"));
                var provider = CosmosProvider.builder().store(store).build()) {
            warmUp(emulated, store, provider, effort);
            for (int length : effort.pick(LENGTHS, List.of(2))) {
                var instance = new LongInstance("order-" + length, length);
                instance.write(provider);
                var turns = new Turns(emulated, store, provider, instance, effort.pick(TURNS, 1));
                figures.addAll(figures(turns, COLD, effort));
                figures.addAll(figures(turns, WARM, effort));
            }
        }
        return figures;
    }

    /** Lets the compilers see both kinds of turns. */
    private static void warmUp(EmulatedStore emulated, CosmosStore store, CosmosProvider provider, Effort effort) {
        var instance = new LongInstance("warm-up", 100);
        instance.write(provider);
        var turns = new Turns(emulated, store, provider, instance, effort.pick(WARM_UPS, 0));
        turns.run(true);
        turns.run(false);
    }

    private static List<Figure> figures(Turns turns, String cache, Effort effort) {
        boolean isWarm = cache.equals(WARM);
        turns.run(isWarm); // both caches and compilers begin cold
        var runs = Stream.generate(() -> turns.run(isWarm)).limit(effort.runs()).toList();
        var cost = turns.cost(isWarm);
        return Stream.of(
                        Figure.of(MEDIAN, "ms", Spread.of(runs, run -> run.get(run.size() / 2))),
                        Figure.of(P99, "ms", Spread.of(runs, run -> run.get(run.size() * 99 / 100))),
                        Figure.exactly(REQUESTS, "", cost.requests()),
                        Figure.exactly(UNITS, "", Math.round(cost.requestUnits() * 10) / 10.0),
                        Figure.exactly(BYTES, "", (double) cost.bytes()))
                .map(figure -> figure.at(LENGTH, turns.instance().events()).at(CACHE, cache))
                .toList();
    }

    /**
     * Turns of one instance, one after the other.
     *
     * @param last the provider that has the instance in its cache
     */
    private record Turns(
            EmulatedStore emulated, CosmosStore store, CosmosProvider last, LongInstance instance, int count) {
        /** The milliseconds of each turn, in order of length. */
        List<Double> run(boolean isWarm) {
            return IntStream.range(0, count)
                    .mapToObj(turn -> millis(isWarm))
                    .sorted()
                    .toList();
        }

        RequestCost cost(boolean isWarm) {
            millis(isWarm);
            return emulated.cost();
        }

        private double millis(boolean isWarm) {
            instance.send(last);
            emulated.forget();
            if (isWarm) {
                return millis(last);
            }
            try (var other = CosmosProvider.builder().store(store).build()) {
                return millis(other);
            }
        }

        private double millis(CosmosProvider provider) {
            long began = System.nanoTime();
            instance.turn(provider);
            return (System.nanoTime() - began) / 1e6;
        }
    }
}
