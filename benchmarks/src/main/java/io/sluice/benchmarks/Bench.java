package io.sluice.benchmarks;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.PerformancePage;
import io.sluice.benchmarks.result.Conditions;
import io.sluice.benchmarks.result.Machine;
import io.sluice.benchmarks.result.Report;
import io.sluice.benchmarks.result.ReportFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs benchmarks by name, writes their figures as JSON, and writes the page from all reports: {@code mvn -q -Pbench},
 * or {@code mvn -q -Pbench -Dbench=emulator,relay}.
 */
public final class Bench {
    private static final String ALL = "all";
    private static final String PAGE_ONLY = "page";

    private Bench() {}

    /**
     * Runs the benchmarks. Several run one after the other, each in a JVM of its own, so that none profits from the
     * compiled code of another.
     *
     * @param arguments the names, separated by commas, or {@code all}, or {@code page} to write the page only; then the
     *     folder of the documentation
     * @throws IllegalArgumentException when there is no such benchmark
     * @throws IllegalStateException when one failed; the others have been run
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException(
                    "give benchmarks' names and the folder of the documentation, such as: emulator,relay docs");
        }
        var documentation = Path.of(arguments[1]);
        var wanted = wanted(arguments[0]);
        if (wanted.size() == 1) {
            run(wanted.get(0), documentation);
        } else {
            runApart(wanted, documentation);
        }
        Files.writeString(documentation.resolve(PerformancePage.PAGE), Benchmarks.page(documentation));
    }

    private static List<Benchmark> wanted(String names) {
        return switch (names) {
            case ALL -> Benchmarks.ALL;
            case PAGE_ONLY -> List.of();
            default ->
                List.of(names.split(",", -1)).stream().map(Benchmarks::named).toList();
        };
    }

    private static void run(Benchmark benchmark, Path documentation) throws IOException {
        long began = System.nanoTime();
        double load = Machine.load();
        var figures = benchmark.measure(Effort.WHOLE);
        var conditions = Conditions.now(benchmark.command(), load, benchmark.runs());
        ReportFile.write(
                documentation.resolve(PerformancePage.FOLDER), new Report(benchmark.name(), conditions, figures));
        System.out.println(benchmark.name() + ": "
                + Duration.ofNanos(System.nanoTime() - began).toSeconds() + " s");
    }

    private static void runApart(List<Benchmark> benchmarks, Path documentation) throws IOException {
        var failed = new ArrayList<String>();
        for (var benchmark : benchmarks) {
            var process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Bench.class.getName(),
                            benchmark.name(),
                            documentation.toString())
                    .inheritIO()
                    .start();
            if (process.onExit().join().exitValue() != 0) {
                failed.add(benchmark.name());
            }
        }
        if (!failed.isEmpty()) {
            throw new IllegalStateException("these failed: " + failed);
        }
    }
}
