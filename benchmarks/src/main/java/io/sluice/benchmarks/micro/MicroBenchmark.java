package io.sluice.benchmarks.micro;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Time and allocations of single steps, by JMH. Takes some two minutes. */
public final class MicroBenchmark implements Benchmark {
    private static final String CLASSES = "io\\.sluice\\..*";
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final String STEP = "step";
    private static final String TIME = "time";
    private static final String BYTES = "allocated";

    @Override
    public String name() {
        return "jmh";
    }

    @Override
    public Section section() {
        return new Section("What single steps cost", """
                By JMH, in a JVM of its own for each step, five iterations after three that are not counted; *allocated*
                is from its profiler of collections.
                """, List.of(View.Table.of(List.of(STEP), TIME, BYTES)));
    }

    @Override
    public List<Figure> measure(Effort effort) {
        var figures = new ArrayList<Figure>();
        try {
            for (var result : new Runner(options(effort).build()).run()) {
                figures.addAll(figures(result));
            }
        } catch (RunnerException e) {
            throw new IllegalStateException("JMH failed", e);
        }
        return figures;
    }

    /** With the smallest effort in this JVM, which is of no use for times. */
    private static ChainedOptionsBuilder options(Effort effort) {
        return new OptionsBuilder()
                .include(CLASSES)
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.MICROSECONDS)
                .forks(effort.pick(1, 0))
                .warmupIterations(effort.pick(3, 0))
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(effort.runs())
                .measurementTime(effort.pick(TimeValue.seconds(1), TimeValue.milliseconds(10)))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .addProfiler(GCProfiler.class);
    }

    private static List<Figure> figures(RunResult result) {
        var step = words(result.getParams().getBenchmark());
        var iterations = result.getBenchmarkResults().iterator().next().getIterationResults();
        var allocated = Spread.of(List.copyOf(iterations), iteration -> {
            var rate = iteration.getSecondaryResults().get(ALLOCATED);
            return rate == null ? 0 : Math.rint(rate.getScore());
        });
        var time = Spread.of(
                List.copyOf(iterations),
                iteration -> iteration.getPrimaryResult().getScore());
        return List.of(
                Figure.of(TIME, "µs", time).at(STEP, step),
                Figure.of(BYTES, "bytes", allocated).at(STEP, step));
    }

    /** The words of a method's name. */
    private static String words(String method) {
        var name = method.substring(method.lastIndexOf('.') + 1);
        return String.join(" ", Arrays.asList(name.split("(?=[A-Z])|(?<=[a-z])(?=[0-9])", -1)))
                .toLowerCase(Locale.ROOT);
    }
}
