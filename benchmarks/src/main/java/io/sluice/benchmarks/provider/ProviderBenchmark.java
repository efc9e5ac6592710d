package io.sluice.benchmarks.provider;

import io.sluice.benchmarks.emulator.EmulatorProcess;
import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Turns, activities and hello worlds per second by the number of dispatchers of one process. Takes some three minutes.
 */
public final class ProviderBenchmark implements Benchmark {
    private static final List<Integer> DISPATCHERS = List.of(1, 2, 4, 8, 16, 32, 64);
    private static final int PIECES = 256;
    private static final int PHYSICAL_PARTITIONS = 1;
    private static final int WARM_UPS = 4;
    private static final String COUNT = "dispatchers";

    @Override
    public String name() {
        return "provider";
    }

    @Override
    public Section section() {
        var views = new ArrayList<View>();
        for (var work : Work.values()) {
            views.add(View.Table.of(
                    List.of(COUNT),
                    work.many(),
                    requests(work),
                    requestUnits(work),
                    processor(work),
                    serverProcessor(work)));
        }
        return new Section("How fast a runtime's dispatchers are", """
                One process with so many dispatchers, the emulator (%d physical partition) as a process of its own, both
                on the same processors. Dispatchers of one provider find %,d pieces of work, each of an instance of its
                own, and work them off without user code: a **turn** consumes its start message, writes two events and
                completes; an **activity** answers; a **hello world** is two turns and an activity, by so many
                dispatchers of each kind. Requests fall as dispatchers share what one query found; what is beyond that
                is waiting.
                """.formatted(PHYSICAL_PARTITIONS, PIECES), views);
    }

    private static String requests(Work work) {
        return "requests per " + work.one();
    }

    private static String requestUnits(Work work) {
        return "RU per " + work.one();
    }

    private static String processor(Work work) {
        return "processor time per " + work.one();
    }

    private static String serverProcessor(Work work) {
        return "the emulator's per " + work.one();
    }

    @Override
    public List<Figure> measure(Effort effort) {
        var figures = new ArrayList<Figure>();
        try (var server = EmulatorProcess.start(
                List.of("-Xmx2g"), List.of("--partitions", String.valueOf(PHYSICAL_PARTITIONS)))) {
            for (var work : Work.values()) {
                figures.addAll(measure(server, work, effort));
            }
        }
        return figures;
    }

    private static List<Figure> measure(EmulatorProcess server, Work work, Effort effort) {
        var account = new CosmosStoreConfig(
                server.endpoint(),
                EmulatorConfig.WELL_KNOWN_KEY,
                "benchmarks",
                work.name().toLowerCase(Locale.ROOT));
        CosmosStore.provision(account);
        var figures = new ArrayList<Figure>();
        try (var store = CosmosStore.open(account)) {
            var dispatchers = new Dispatchers(server, store, work);
            int pieces = effort.pick(PIECES, 4);
            Stream.generate(() -> dispatchers.run(8, pieces))
                    .limit(effort.pick(WARM_UPS, 0))
                    .forEach(warm -> {});
            for (int count : effort.pick(DISPATCHERS, List.of(1, 2))) {
                var runs = Stream.generate(() -> dispatchers.run(count, pieces))
                        .limit(effort.runs())
                        .toList();
                figures.addAll(figures(work, runs).stream()
                        .map(figure -> figure.at(COUNT, count))
                        .toList());
            }
        }
        return figures;
    }

    private static List<Figure> figures(Work work, List<Dispatchers.Figures> runs) {
        return List.of(
                Figure.of(work.many(), "per second", Spread.of(runs, Dispatchers.Figures::perSecond)),
                Figure.of(requests(work), "", Spread.of(runs, Dispatchers.Figures::requests)),
                Figure.of(requestUnits(work), "", Spread.of(runs, Dispatchers.Figures::requestUnits)),
                Figure.of(processor(work), "ms", Spread.of(runs, Dispatchers.Figures::processor)),
                Figure.of(serverProcessor(work), "ms", Spread.of(runs, Dispatchers.Figures::serverProcessor)));
    }
}
