package io.sluice.benchmarks.dispatch;

import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.store.Parallel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** How fast one process works a backlog off that another has just written, with the store some way off. */
final class Drain {
    static final Duration ADDED = Duration.ofMillis(5);
    static final int ORCHESTRATIONS = 50;
    static final int ACTIVITIES = 5;

    private static final int FEW_ORCHESTRATIONS = 4;
    private static final int WRITERS = 10;
    private static final int WARM_UPS = 2;

    private final Map<Way, Crew> crews;
    private final int orchestrations;
    private final int warmUps;
    private final int runs;

    private Drain(Map<Way, Crew> crews, Effort effort) {
        this.crews = crews;
        this.orchestrations = effort.pick(ORCHESTRATIONS, FEW_ORCHESTRATIONS);
        this.warmUps = effort.pick(WARM_UPS, 0);
        this.runs = effort.runs();
    }

    /**
     * By turns with crews of one process each, of either way, first with the dispatchers they have, then with more.
     *
     * @param dispatchers of each kind that they have
     * @param more that they are given then
     */
    static List<Figure> measure(List<Crew> crews, Effort effort, int dispatchers, int more) {
        Map<Way, Crew> byWay = new EnumMap<>(Way.class);
        crews.forEach(crew -> byWay.put(crew.site().way(), crew));
        var drain = new Drain(byWay, effort);
        var few = drain.alternate();
        crews.forEach(crew -> crew.first().dispatch(more, more));
        var many = drain.alternate();
        return DispatchFigures.drains(few, dispatchers, many, dispatchers + more);
    }

    /** Orchestrations a second of each way, run by run. */
    private Map<Way, List<Double>> alternate() {
        Map<Way, List<Double>> rates = new EnumMap<>(Way.class);
        for (int run = -warmUps; run < runs; run++) {
            for (var crew : crews.entrySet()) {
                double rate = perSecond(crew.getValue());
                if (run >= 0) {
                    rates.computeIfAbsent(crew.getKey(), way -> new ArrayList<>())
                            .add(rate);
                }
            }
        }
        return rates;
    }

    private double perSecond(Crew crew) {
        try (var client = new Client(crew.site())) {
            client.warmUp();
            crew.site().delay(ADDED);
            long beganNanos = System.nanoTime();
            Parallel.run(IntStream.range(0, Math.min(WRITERS, orchestrations))
                    .<Callable<Boolean>>mapToObj(writer -> () -> {
                        for (int i = writer; i < orchestrations; i += WRITERS) {
                            client.start(crew.site().nextInstance(), ACTIVITIES);
                        }
                        return true;
                    })
                    .toList());
            crew.awaitEnds(orchestrations);
            return orchestrations / ((System.nanoTime() - beganNanos) / 1e9);
        } finally {
            crew.site().endDelay();
        }
    }
}
