package io.sluice.benchmarks.relay;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** How events are published by more and more replicas, on more and more key ranges. Takes some four minutes. */
public final class ScaleBenchmark implements Benchmark {
    private static final List<Integer> REPLICAS = List.of(1, 2, 4);
    private static final List<Integer> PARTITIONS = List.of(2, 4, 8);
    private static final int TURNS = 150;
    private static final int FEW_TURNS = 10;

    private static final String RATE = "events, exactly once";
    private static final String PROCESSOR = "processor time for each event";
    private static final String REPLICA_COUNT = "replicas";
    private static final String RANGES = "key ranges";

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public Section section() {
        return new Section(
                "How the relay scales out",
                """
                A backlog of %d turns of 20 events, written while all replicas are paused; from the first event that a
                reader of committed records sees to the last. A relay cuts the key space into twice as many ranges as
                there are physical partitions (2, 4 and 8 here), and replicas share them.
                """.formatted(TURNS),
                List.of(View.Table.of(List.of(RANGES, REPLICA_COUNT), RATE, PROCESSOR), new View.Text("""
                                All replicas share two processors with each other and with what they read from and write
                                to: more of them can't be faster here. What they show is the price of sharing, in
                                processor time: of an event, with transactions that hold fewer of them, and of an idle
                                replica beside it.
                                """)));
    }

    @Override
    public List<Figure> measure(Effort effort) {
        var figures = new ArrayList<Figure>();
        for (int partitions : effort.pick(PARTITIONS, List.of(2))) {
            try (var bed = RelayTestbed.start(partitions)) {
                for (int replicas : effort.pick(REPLICAS, List.of(1))) {
                    bed.share(replicas);
                    rate(new EventRate(bed), effort)
                            .map(figure -> figure.at(RANGES, RelayTestbed.ranges(partitions))
                                    .at(REPLICA_COUNT, replicas))
                            .forEach(figures::add);
                }
            }
        }
        return figures;
    }

    /** The first run warms up. */
    private static Stream<Figure> rate(EventRate rate, Effort effort) {
        int turns = effort.pick(TURNS, FEW_TURNS);
        var runs = Stream.generate(() -> rate.of(turns))
                .limit(1 + effort.runs())
                .skip(1)
                .toList();
        return Stream.of(
                Figure.of(RATE, "per second", Spread.of(runs, EventRate.Figures::perSecond)),
                Figure.of(PROCESSOR, "ms", Spread.of(runs, EventRate.Figures::processor)));
    }
}
