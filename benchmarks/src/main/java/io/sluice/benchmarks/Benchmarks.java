package io.sluice.benchmarks;

import io.sluice.benchmarks.dispatch.DispatchBenchmark;
import io.sluice.benchmarks.emulator.EmulatorBenchmark;
import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.history.HistoryBenchmark;
import io.sluice.benchmarks.idle.IdleBenchmark;
import io.sluice.benchmarks.micro.MicroBenchmark;
import io.sluice.benchmarks.outbox.OutboxBenchmark;
import io.sluice.benchmarks.page.PerformancePage;
import io.sluice.benchmarks.page.PerformancePage.Chapter;
import io.sluice.benchmarks.provider.HelloBenchmark;
import io.sluice.benchmarks.provider.ProviderBenchmark;
import io.sluice.benchmarks.relay.RelayBenchmark;
import io.sluice.benchmarks.relay.ScaleBenchmark;
import io.sluice.benchmarks.requests.RequestsBenchmark;
import io.sluice.benchmarks.result.ReportFile;
import io.sluice.benchmarks.size.SizeBenchmark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All benchmarks there are. */
final class Benchmarks {
    /** In the order of the page. */
    static final List<Benchmark> ALL = List.of(
            new RequestsBenchmark(),
            new HelloBenchmark(),
            new ProviderBenchmark(),
            new HistoryBenchmark(),
            new OutboxBenchmark(),
            new IdleBenchmark(),
            new DispatchBenchmark(),
            new SizeBenchmark(),
            new RelayBenchmark(),
            new ScaleBenchmark(),
            new EmulatorBenchmark(),
            new MicroBenchmark());

    private Benchmarks() {}

    /**
     * The one of a name.
     *
     * @throws IllegalArgumentException when there is none
     */
    static Benchmark named(String name) {
        return ALL.stream()
                .filter(benchmark -> benchmark.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("-Dbench must be all, page or some of "
                        + ALL.stream().map(Benchmark::name).collect(Collectors.joining(",")) + ", was " + name));
    }

    /** The page, written from the reports in a folder of documentation. */
    static String page(Path documentation) throws IOException {
        var chapters = new ArrayList<Chapter>();
        for (var benchmark : ALL) {
            ReportFile.read(documentation.resolve(PerformancePage.FOLDER), benchmark.name())
                    .ifPresent(report -> chapters.add(new Chapter(benchmark.section(), report)));
        }
        return PerformancePage.text(chapters);
    }
}
