package io.sluice.benchmarks.emulator;

import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.result.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Answers per second of a server, and what each takes of its processors, which does not depend on what else the machine
 * does.
 */
final class Throughput {
    /**
     * Answers that are not counted: by number and not by time, so that a busy machine compiles as much of the server as
     * a quiet one.
     */
    static final int WARM_UP_ANSWERS = 10_000;

    private static final Duration RUN = Duration.ofSeconds(2);
    private static final Duration SHORTEST_RUN = Duration.ofMillis(100);

    private final EmulatorProcess server;
    private final Effort effort;

    Throughput(EmulatorProcess server, Effort effort) {
        this.server = server;
        this.effort = effort;
    }

    /**
     * What the runs gave.
     *
     * @param perSecond answers
     * @param processor milliseconds of the server's processors for each
     */
    record RequestCost(Spread perSecond, Spread processor) {}

    private record Run(double perSecond, double processor) {}

    /** Measures what sends for a while and says how many answers came per second. */
    RequestCost of(ToDoubleFunction<Duration> load) {
        var length = effort.pick(RUN, SHORTEST_RUN);
        warmUp(load, length);
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < effort.runs(); i++) {
            double before = server.processorMillis();
            double perSecond = load.applyAsDouble(length);
            double answers = perSecond * length.toMillis() / 1000;
            runs.add(new Run(perSecond, (server.processorMillis() - before) / answers));
        }
        return new RequestCost(Spread.of(runs, Run::perSecond), Spread.of(runs, Run::processor));
    }

    private void warmUp(ToDoubleFunction<Duration> load, Duration length) {
        int wanted = effort.pick(WARM_UP_ANSWERS, 1);
        double answers = 0;
        while (answers < wanted) {
            answers += load.applyAsDouble(length) * length.toMillis() / 1000;
        }
    }
}
