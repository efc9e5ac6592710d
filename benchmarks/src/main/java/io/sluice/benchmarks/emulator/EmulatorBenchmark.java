package io.sluice.benchmarks.emulator;

import io.sluice.benchmarks.harness.Benchmark;
import io.sluice.benchmarks.harness.Effort;
import io.sluice.benchmarks.page.Section;
import io.sluice.benchmarks.page.View;
import io.sluice.benchmarks.result.Budget;
import io.sluice.benchmarks.result.Figure;
import io.sluice.benchmarks.result.Spread;
import io.sluice.benchmarks.store.HttpConnection;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What the emulator costs on this machine. Takes some four minutes. */
public final class EmulatorBenchmark implements Benchmark {
    private static final int ITEMS = 1000;
    private static final List<Integer> SIZES = List.of(1_000, 10_000, 100_000, 1_000_000);
    private static final List<String> SERVER = List.of("-Xmx1g");
    private static final List<String> LARGE_SERVER = List.of("-Xmx6g");
    private static final List<String> SMALL_SERVER = List.of("-Xmx128m");
    private static final String START = "start in a warm JVM, until the first answer";
    private static final String HEAP = "heap of an idle server";
    private static final String RESIDENT = "resident memory of an idle server";
    private static final String READS = "point reads of 1 KB";
    private static final String BATCHES = "batches of 20 creates of 1 KB";
    private static final String PROCESSOR = "processor time";
    private static final byte[] HEALTH =
            "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @Override
    public String name() {
        return "emulator";
    }

    @Override
    public Section section() {
        return new Section(
                "What the emulator costs",
                """
                The server is a process of its own (`%s`), the senders share its processors: %d connections, each with
                one request under way, after %,d answers that are not counted. An idle server is the program with `%s`;
                its heap is what is left after a collection.
                """.formatted(
                                String.join(" ", SERVER),
                                RequestLoad.CONNECTIONS,
                                Throughput.WARM_UP_ANSWERS,
                                String.join(" ", SMALL_SERVER)),
                List.of(
                        View.Listing.of(START, HEAP, RESIDENT, READS, BATCHES, PROCESSOR),
                        new View.Text("""
                                ### Queries
                                One physical partition in memory, ten results each, one request at a time, `%s`. The
                                last query of each size can't use an index. Documents read are from the answer's query
                                metrics.
                                """.formatted(String.join(" ", LARGE_SERVER))),
                        View.Table.of(List.of(QueryCost.QUERY, QueryCost.ITEMS), QueryCost.READ, QueryCost.TIME)));
    }

    @Override
    public List<Figure> measure(Effort effort) {
        var figures = new ArrayList<Figure>();
        figures.add(Figure.of(START, "ms", start(effort)).within(Budget.atMost(1000)));
        figures.addAll(memory(effort));
        figures.addAll(pointReads(effort));
        figures.addAll(batches("in memory", List.of(), effort));
        figures.addAll(inFolder("in a folder", List.of(), effort));
        figures.addAll(inFolder("in a folder, forced to the disk", List.of("--fsync"), effort));
        figures.addAll(queries(effort));
        return figures;
    }

    private static Spread start(Effort effort) {
        millisToStart();
        return Spread.of(effort.runs(), EmulatorBenchmark::millisToStart);
    }

    private static double millisToStart() {
        long began = System.nanoTime();
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
                var connection = new HttpConnection(emulator.endpoint())) {
            connection.exchange(HEALTH);
            return (System.nanoTime() - began) / 1e6;
        }
    }

    private static List<Figure> memory(Effort effort) {
        var resident = new ArrayList<Double>();
        var heap = Spread.of(effort.runs(), () -> {
            try (var server = EmulatorProcess.start(SMALL_SERVER, List.of());
                    var connection = new HttpConnection(server.endpoint())) {
                connection.exchange(HEALTH);
                double used = server.heapMegabytes();
                resident.add(server.residentMegabytes());
                return used;
            }
        });
        return List.of(
                Figure.of(HEAP, "MB", heap).within(Budget.atMost(128)),
                Figure.of(RESIDENT, "MB", Spread.of(resident, Double::doubleValue))
                        .within(Budget.atMost(128)));
    }

    private static List<Figure> pointReads(Effort effort) {
        try (var server = EmulatorProcess.start(SERVER, List.of());
                var connection = new HttpConnection(server.endpoint())) {
            Workload.makeDatabase(connection);
            var container = Workload.makeContainer(connection, "reads");
            var reads = Workload.pointReads(connection, container, ITEMS);
            var measured = new Throughput(server, effort)
                    .of(run -> RequestLoad.perSecond(server.endpoint(), run, index -> inTurn(reads, index)));
            return List.of(
                    Figure.of(READS, "per second", measured.perSecond()).within(Budget.atLeast(10_000)),
                    Figure.of(PROCESSOR, "ms each", measured.processor()).at("of", READS));
        }
    }

    private static RequestLoad.Requests inTurn(List<byte[]> requests, int start) {
        var next = new AtomicInteger(start);
        return () -> requests.get(next.addAndGet(RequestLoad.CONNECTIONS) % requests.size());
    }

    private static List<Figure> inFolder(String where, List<String> further, Effort effort) {
        try {
            var folder = Files.createTempDirectory("emulator-bench");
            try {
                var arguments = new ArrayList<>(List.of("--data-dir", folder.toString()));
                arguments.addAll(further);
                return batches(where, arguments, effort);
            } finally {
                remove(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of a server can't be made or removed", e);
        }
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.newDirectoryStream(folder)) {
            for (var file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private static List<Figure> batches(String where, List<String> arguments, Effort effort) {
        try (var server = EmulatorProcess.start(SERVER, arguments);
                var connection = new HttpConnection(server.endpoint())) {
            Workload.makeDatabase(connection);
            var measured = new Throughput(server, effort).of(run -> batches(server, connection, run));
            var rate = Figure.of(BATCHES, "per second", measured.perSecond()).at("where", where);
            return List.of(
                    arguments.contains("--fsync") ? rate : rate.within(Budget.atLeast(1_000)),
                    Figure.of(PROCESSOR, "ms each", measured.processor())
                            .at("of", BATCHES)
                            .at("where", where));
        }
    }

    /** Each run has a container of its own, so that all find the same. */
    private static double batches(EmulatorProcess server, HttpConnection connection, Duration run) {
        var container = Workload.makeContainer(connection, "batches");
        double perSecond = RequestLoad.perSecond(server.endpoint(), run, index -> Workload.batches(container, index));
        Workload.removeContainer(connection, container);
        return perSecond;
    }

    private static List<Figure> queries(Effort effort) {
        try (var server = EmulatorProcess.start(LARGE_SERVER, List.of("--partitions", "1"));
                var connection = new HttpConnection(server.endpoint())) {
            Workload.makeDatabase(connection);
            return new QueryCost(connection, effort).figures(effort.pick(SIZES, List.of(1_000)));
        }
    }
}
