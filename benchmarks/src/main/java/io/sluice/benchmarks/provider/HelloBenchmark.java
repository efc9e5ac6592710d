package io.sluice.benchmarks.provider;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * How long a hello world takes and what it costs in a process that waits for it, with the store some way off. Takes a
 * minute.
 */
public final class HelloBenchmark implements Benchmark {
    private static final List<Integer> PARTITIONS = List.of(1, 4, 16);
    private static final int ORCHESTRATIONS = 100;
    private static final String TIME = "median time of a hello world";
    private static final String REQUESTS =
            "requests of a hello world, with those of all dispatchers that look meanwhile";
    private static final String PLANS = "query plans beside them";
    private static final String UNITS = "request units of a hello world";
    private static final String PARAMETER = "physical partitions";

    @Override
    public String name() {
        return "hello";
    }

    @Override
    public Section section() {
        return new Section(
                "How long a hello world takes",
                """
                Two turns and an activity, one orchestration after the other, in one process with two dispatchers of
                each queue that wait. The emulator lets every answer wait for %d ms, as a store in the same region does:
                the time adds up the round trips that follow each other.
                """.formatted(HelloWorlds.ROUND_TRIP.toMillis()),
                List.of(View.Table.of(List.of(PARAMETER), TIME, REQUESTS, PLANS, UNITS)));
    }

    @Override
    public List<Figure> measure(Effort effort) {
        var figures = new ArrayList<Figure>();
        for (int partitions : effort.pick(PARTITIONS, List.of(1))) {
            int count = effort.pick(ORCHESTRATIONS, 2);
            try (var worlds = HelloWorlds.start(partitions)) {
                worlds.run(effort.pick(ORCHESTRATIONS, 1));
                var runs = Stream.generate(() -> worlds.run(count))
                        .limit(effort.runs())
                        .toList();
                figures.add(Figure.of(TIME, "ms", Spread.of(runs, HelloWorlds.Figures::millis))
                        .at(PARAMETER, partitions));
                figures.add(Figure.of(REQUESTS, "", Spread.of(runs, HelloWorlds.Figures::requests))
                        .at(PARAMETER, partitions));
                figures.add(Figure.of(PLANS, "", Spread.of(runs, HelloWorlds.Figures::plans))
                        .at(PARAMETER, partitions));
                figures.add(Figure.of(UNITS, "", Spread.of(runs, HelloWorlds.Figures::requestUnits))
                        .at(PARAMETER, partitions));
            }
        }
        return figures;
    }
}
