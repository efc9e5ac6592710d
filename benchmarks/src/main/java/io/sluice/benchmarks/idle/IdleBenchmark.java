package io.sluice.benchmarks.idle;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.result.Budget;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import io.sluice.benchmarks.store.RequestCost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What waiting costs, by the number of dispatchers, processes, physical partitions and instances. Takes a minute and a
 * half: all set-ups wait at the same time.
 */
public final class IdleBenchmark implements Benchmark {
    static final String REQUESTS = "requests a minute";

    private static final String ROUTING = "routing a minute";
    private static final String UNITS = "RU a minute";
    private static final String RUST = "requests a minute of the Rust provider";
    private static final double RUST_REQUESTS = 2_413;
    private static final double BUDGET = 130;

    private static final String DISPATCHERS = "dispatchers of each kind";
    private static final String PROCESSES = "processes";
    private static final String PARTITIONS = "physical partitions";
    private static final String WAITING = "waiting instances";

    private static final int MANY = 10_000;
    private static final Duration WINDOW = Duration.ofSeconds(12);
    private static final Duration SHORT_WINDOW = Duration.ofSeconds(3);

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public Section section() {
        return new Section(
                "What waiting costs",
                """
                Processes with as many dispatchers of turns as of activities, and nothing due. Each figure counts
                windows of %d seconds, once the rests between two looks have grown to their longest; a query over
                several partitions counts once. *Routing* is the plan that the SDK asks for at every such query.
                """.formatted(WINDOW.toSeconds()),
                List.of(
                        View.Table.of(
                                List.of(DISPATCHERS, PROCESSES, PARTITIONS, WAITING), REQUESTS, RUST, ROUTING, UNITS),
                        new View.Text("""
                                - **Dispatchers** cost nothing while they wait: of all that wait for a queue one asks,
                                  at most once a second, and hands out what it finds.
                                - **Waiting instances** cost nothing: the queries find what is due by an index.
                                - **Processes** each ask for themselves, since work may come from any other. **Physical
                                  partitions** are asked each, so that a look costs by their number.
                                - The Rust provider was measured with 2 + 2 dispatchers on an empty store of one
                                  partition.
                                """)));
    }

    @Override
    public List<Figure> measure(Effort effort) {
        var setups = effort.pick(setups(), List.of(new IdleSetup(1, 1, 1, 0), new IdleSetup(8, 2, 4, 20)));
        var window = effort.pick(WINDOW, SHORT_WINDOW);
        var figures = new ArrayList<Figure>();
        IdleMinutes.measure(setups, effort.runs(), window)
                .forEach((setup, costs) -> figures.addAll(figures(setup, costs, window)));
        return figures;
    }

    private static List<IdleSetup> setups() {
        var setups = new ArrayList<IdleSetup>();
        for (int partitions : List.of(1, 4)) {
            for (int dispatchers : List.of(1, 2, 8, 32)) {
                setups.add(new IdleSetup(dispatchers, 1, partitions, 0));
            }
            setups.add(new IdleSetup(2, 2, partitions, 0));
            setups.add(new IdleSetup(2, 4, partitions, 0));
            setups.add(new IdleSetup(2, 1, partitions, MANY));
            setups.add(new IdleSetup(32, 1, partitions, MANY));
            setups.add(new IdleSetup(2, 4, partitions, MANY));
        }
        return setups;
    }

    private static List<Figure> figures(IdleSetup setup, List<RequestCost> costs, Duration window) {
        var requests = perMinute(REQUESTS, costs, RequestCost::requests, window);
        var figures = Stream.of(
                setup.processes() == 1 ? requests.within(Budget.atMost(BUDGET)) : requests,
                perMinute(ROUTING, costs, RequestCost::routing, window),
                perMinute(UNITS, costs, RequestCost::requestUnits, window));
        boolean isRust = setup.equals(new IdleSetup(2, 1, 1, 0));
        var all = isRust ? Stream.concat(figures, Stream.of(Figure.exactly(RUST, "", RUST_REQUESTS))) : figures;
        return all.map(figure -> figure.at(DISPATCHERS, setup.dispatchers())
                        .at(PROCESSES, setup.processes())
                        .at(PARTITIONS, setup.physicalPartitions())
                        .at(WAITING, setup.waiting()))
                .toList();
    }

    private static Figure perMinute(
            String name, List<RequestCost> costs, ToDoubleFunction<RequestCost> figure, Duration window) {
        double windows = (double) Duration.ofMinutes(1).toMillis() / window.toMillis();
        return Figure.of(name, "", Spread.of(costs, cost -> figure.applyAsDouble(cost) * windows));
    }
}
