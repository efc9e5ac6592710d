package io.sluice.benchmarks.dispatch;

import io.sluice.benchmarks.result.Budget;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import io.sluice.benchmarks.store.RequestCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Names, parameters and budgets of what is measured. */
final class DispatchFigures {
    static final String PARTITIONS = "physical partitions";
    static final String PROCESSES = "processes";
    static final String ORCHESTRATION = "orchestration";
    static final String QUEUE = "queue";
    static final String DISPATCHERS = "dispatchers of each kind";

    static final String PER_TURN = "requests a turn";
    static final String REQUESTS = "requests";
    static final String UNITS = "RU";
    static final String IDLE = "requests a minute";
    static final String IDLE_WITH_LOOKS = "the same with looks at everything";
    static final String IDLE_UNITS = "RU a minute";
    static final String RELAY = "requests of the relay a minute";
    static final String RELAY_UNITS = "RU of the relay a minute";
    static final String MEDIAN = "median";
    static final String P99 = "99th percentile";
    static final String RATE = "orchestrations a second";
    static final String RATIO = "announced to polled";
    static final String RATIO_TO_FEW = "announced to polled with the fewest dispatchers";

    /** Announced, and a process waits for the announcements of its own messages. */
    static final String PATIENT = "announced, own work waited for";

    private static final double MOST_PER_TURN = 2.4;
    private static final double MOST_IDLE = 2;
    private static final double MOST_MEDIAN_MILLIS = 60;
    private static final double MOST_P99_MILLIS = 300;
    private static final double LEAST_RATIO = 1.5;
    private static final double LEAST_RATIO_OF_MANY = 3;
    private static final int QUEUES = 2;

    private DispatchFigures() {}

    /** The name of a figure of one of the ways. */
    static String name(String figure, Way way) {
        return name(figure, way.text());
    }

    static String name(String figure, String way) {
        return figure + ", " + way;
    }

    static Figure perTurn(Site site, int processes, double requests) {
        return budgeted(exactly(PER_TURN, site, requests), site, Budget.atMost(MOST_PER_TURN))
                .at(PARTITIONS, site.physicalPartitions())
                .at(PROCESSES, processes);
    }

    static List<Figure> perOrder(Crew crew, String orchestration, double most, double requests, double units) {
        var site = crew.site();
        var all = Figure.exactly(name(REQUESTS, crew.way()), "", rounded(requests));
        return List.of(
                        budgeted(all, site, Budget.atMost(most)),
                        Figure.exactly(name(UNITS, crew.way()), "", rounded(units)))
                .stream()
                .map(figure -> figure.at(ORCHESTRATION, orchestration).at(PARTITIONS, site.physicalPartitions()))
                .toList();
    }

    static List<Figure> idle(Site site, RequestCost runtimes, RequestCost relay, double perMinute) {
        List<Figure> figures = new ArrayList<>();
        double requests = runtimes.wireRequests() * perMinute;
        figures.add(exactly(IDLE, site, requests));
        if (site.way() == Way.ANNOUNCED) {
            figures.add(Figure.exactly(IDLE_WITH_LOOKS, "", rounded(requests + looksAMinute(site.physicalPartitions())))
                    .within(Budget.atMost(MOST_IDLE)));
        }
        figures.add(exactly(IDLE_UNITS, site, runtimes.requestUnits() * perMinute));
        figures.add(exactly(RELAY, site, relay.wireRequests() * perMinute));
        figures.add(exactly(RELAY_UNITS, site, relay.requestUnits() * perMinute));
        return figures.stream()
                .map(figure -> figure.at(PARTITIONS, site.physicalPartitions()))
                .toList();
    }

    /** A settled process looks at each queue every two minutes for each partition that it asks then; five at least. */
    private static double looksAMinute(int physicalPartitions) {
        return (double) QUEUES * physicalPartitions / Math.max(5, 2 * physicalPartitions);
    }

    /** @param sortedMillis of all samples */
    static List<Figure> latency(Site site, String queue, List<Double> sortedMillis) {
        var median = Figure.exactly(name(MEDIAN, site.way()), "ms", rounded(percentile(sortedMillis, 50)));
        var p99 = Figure.exactly(name(P99, site.way()), "ms", rounded(percentile(sortedMillis, 99)));
        return List.of(
                        budgeted(median, site, Budget.atMost(MOST_MEDIAN_MILLIS)),
                        budgeted(p99, site, Budget.atMost(MOST_P99_MILLIS)))
                .stream()
                .map(figure -> figure.at(QUEUE, queue))
                .toList();
    }

    private static double percentile(List<Double> sorted, int percent) {
        return sorted.get(sorted.size() * percent / 100);
    }

    static List<Figure> drains(
            Map<Way, List<Double>> few, int fewDispatchers, Map<Way, List<Double>> many, int manyDispatchers) {
        var base = Spread.of(runs(few, Way.POLLED), Double::doubleValue).median();
        List<Figure> figures = new ArrayList<>(drain(few, LEAST_RATIO, base, fewDispatchers));
        figures.addAll(drain(many, LEAST_RATIO_OF_MANY, base, manyDispatchers));
        return figures;
    }

    private static List<Figure> drain(Map<Way, List<Double>> rates, double leastRatio, double base, int dispatchers) {
        var polled = runs(rates, Way.POLLED);
        var announced = runs(rates, Way.ANNOUNCED);
        var ratios = IntStream.range(0, polled.size())
                .mapToObj(run -> announced.get(run) / polled.get(run))
                .toList();
        return List.of(
                        Figure.of(name(RATE, Way.POLLED), "", Spread.of(polled, Double::doubleValue)),
                        Figure.of(name(RATE, Way.ANNOUNCED), "", Spread.of(announced, Double::doubleValue)),
                        Figure.of(RATIO, "", Spread.of(ratios, Double::doubleValue))
                                .within(Budget.atLeast(leastRatio)),
                        Figure.of(RATIO_TO_FEW, "", Spread.of(announced, rate -> rate / base)))
                .stream()
                .map(figure -> figure.at(DISPATCHERS, dispatchers))
                .toList();
    }

    private static List<Double> runs(Map<Way, List<Double>> rates, Way way) {
        return rates.getOrDefault(way, List.of());
    }

    private static Figure exactly(String name, Site site, double value) {
        return Figure.exactly(name(name, site.way()), "", rounded(value));
    }

    private static Figure budgeted(Figure figure, Site site, Budget budget) {
        return site.way() == Way.ANNOUNCED ? figure.within(budget) : figure;
    }

    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
