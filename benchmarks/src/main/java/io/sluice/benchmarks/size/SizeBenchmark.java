package io.sluice.benchmarks.size;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.benchmarks.store.RequestCost;
import io.sluice.benchmarks.store.WaitingInstances;
import io.sluice.provider.cosmos.CosmosStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What operations cost in containers of a hundred to a million documents. Takes some two minutes, most of them to write
 * the documents.
 */
public final class SizeBenchmark implements Benchmark {
    static final String REQUESTS = "requests";
    static final String DOCUMENTS_READ = "documents read";
    static final String OPERATION = "operation";
    static final String SIZE = "documents in the container";

    private static final String ASKER = "asked by";
    private static final String RUNTIME = "runtime and relay";
    private static final String OPERATOR = "operator";
    private static final String RETURNED = "documents returned";
    private static final String UNITS = "RU";
    private static final String MILLIS = "emulator's time";
    private static final String FILLING = "time to write these documents";
    private static final int EVENTS = 8;
    private static final int DOCUMENTS = EVENTS + 2;
    private static final List<Integer> SIZES = List.of(100, 1_000, 10_000, 100_000, 1_000_000);
    private static final List<Integer> FEW_SIZES = List.of(100, 1_000);

    @Override
    public String name() {
        return "size";
    }

    @Override
    public Section section() {
        return new Section(
                "What a large store costs",
                """
                One physical partition with instances that wait: %d documents each, a head, eight events and the message
                of a timer that is due tomorrow. Each operation is made alone; *documents read* are those from which the
                emulator's queries choose what they return, by its indexes.
                """.formatted(DOCUMENTS),
                List.of(
                        new View.Text("""
                                **What a runtime and a relay do costs the same in a store of any size**: every query
                                they make finds its documents by an index that has only the ones it wants.
                                """),
                        table(RUNTIME),
                        new View.Text("""
                                **What an operator asks of all instances grows with them**: counts read an entry of the
                                index for each document counted, the list returns a row for each instance. The emulator
                                charges a query for what it returns, so that its price of a count is too low here; on
                                the service, expect the price of the documents read.
                                """),
                        table(OPERATOR),
                        View.Table.of(List.of(SIZE), FILLING)));
    }

    private static View table(String asker) {
        return View.Table.of(List.of(OPERATION, SIZE), REQUESTS, RETURNED, DOCUMENTS_READ, UNITS, MILLIS)
                .where(ASKER, asker);
    }

    @Override
    public List<Figure> measure(Effort effort) {
        var figures = new ArrayList<Figure>();
        try (var emulated = EmulatedStore.start(1)) {
            var config = emulated.container("size");
            var waiting = new WaitingInstances(config, EVENTS);
            try (var store = CosmosStore.open(config)) {
                var operations = new Operations(emulated, store);
                int written = 0;
                for (int size : effort.pick(SIZES, FEW_SIZES)) {
                    int instances = size / waiting.documents();
                    long beganNanos = System.nanoTime();
                    waiting.write(written, instances);
                    double seconds = (System.nanoTime() - beganNanos) / 1e9;
                    figures.add(Figure.exactly(FILLING, "s", Math.round(seconds * 10) / 10.0)
                            .at(SIZE, size));
                    written = instances;
                    figures.addAll(figures(size, runs(operations, instances, effort.runs())));
                }
            }
        }
        return figures;
    }

    /** The first run makes indexes and reads routes, and does not count. */
    private static List<Map<String, RequestCost>> runs(Operations operations, int instances, int count) {
        var runs = new ArrayList<Map<String, RequestCost>>();
        for (int run = 0; run <= count; run++) {
            runs.add(operations.costs(WaitingInstances.id(instances - 1 - run)));
        }
        return runs.subList(1, runs.size());
    }

    private static List<Figure> figures(int size, List<Map<String, RequestCost>> runs) {
        var figures = new ArrayList<Figure>();
        for (var operation : Operations.OF_A_RUNTIME) {
            figures.addAll(figures(operation, size, RUNTIME, runs));
        }
        for (var operation : Operations.OF_AN_OPERATOR) {
            figures.addAll(figures(operation, size, OPERATOR, runs));
        }
        return figures;
    }

    private static List<Figure> figures(String operation, int size, String asker, List<Map<String, RequestCost>> runs) {
        var costs = runs.stream().map(run -> run.get(operation)).toList();
        return Stream.of(
                        of(REQUESTS, "", costs, RequestCost::requests),
                        of(RETURNED, "", costs, RequestCost::documents),
                        of(DOCUMENTS_READ, "", costs, RequestCost::documentsRead),
                        of(UNITS, "", costs, RequestCost::requestUnits),
                        of(MILLIS, "ms", costs, RequestCost::emulatorMillis))
                .map(figure -> figure.at(OPERATION, operation).at(SIZE, size).at(ASKER, asker))
                .toList();
    }

    private static Figure of(String name, String unit, List<RequestCost> costs, ToDoubleFunction<RequestCost> value) {
        return Figure.of(name, unit, Spread.of(costs, value));
    }
}
