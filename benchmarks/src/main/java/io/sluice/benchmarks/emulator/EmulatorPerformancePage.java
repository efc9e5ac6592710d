package io.sluice.benchmarks.emulator;

import io.sluice.benchmarks.page.Machine;
import io.sluice.benchmarks.page.Spread;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/** Writes {@code docs/emulator-performance.md}: what the emulator costs on this machine. Takes some five minutes. */
public final class EmulatorPerformancePage {
    private static final int RUNS = 5;
    private static final int ITEMS = 1000;
    private static final int WARM_UP_ANSWERS = 10_000;
    private static final Duration RUN = Duration.ofSeconds(2);
    private static final List<Integer> SIZES = List.of(1_000, 10_000, 100_000, 1_000_000);
    private static final List<String> SERVER = List.of("-Xmx1g");
    private static final List<String> LARGE_SERVER = List.of("-Xmx6g");
    private static final List<String> SMALL_SERVER = List.of("-Xmx128m");
    private static final byte[] HEALTH =
            "GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private EmulatorPerformancePage() {}

    /** Measures, prints the page, and writes it to a path. */
    public static void write(Path path) throws IOException {
        var page = page();
        System.out.println(page);
        Files.writeString(path, page);
    }

    private static String page() throws IOException {
        var before = Machine.load();
        var rows = new ArrayList<String>();
        rows.add(row("start in a warm JVM, until the first answer, ms", "< 1 000", start().text("%.0f")));
        rows.addAll(memory());
        rows.add(row("point reads of 1 KB per second", "≥ 10 000", pointReads()));
        rows.add(row("batches of 20 creates of 1 KB per second, in memory", "≥ 1 000", batches(List.of())));
        rows.add(row("the same in a folder", "≥ 1 000", inFolder(List.of())));
        rows.add(row("the same in a folder, forced to the disk", "–", inFolder(List.of("--fsync"))));
        return """
                # What the emulator costs

                Measured %s by `mvn -q -Pbench -Dbench=emulator`, which writes this page anew: %s; load average %s before and %s after. Medians of
                %d runs, with the least and the greatest. The server is a process of its own (`-Xmx1g`), the senders share its processors:
                %d connections, each with one request under way, after %s answers that are not counted.

                | | asked for | measured |
                |---|---:|---:|
                %s
                An idle server is the program with `%s`; its heap is what is left after a collection.

                ## Queries

                One physical partition in memory, ten results each, one request at a time, %s. The last query of each size can't use an index.
                Documents read are from the answer's query metrics.

                %s""".formatted(
                        LocalDate.now(ZoneOffset.UTC),
                        Machine.description(),
                        before,
                        Machine.load(),
                        RUNS,
                        Load.CONNECTIONS,
                        String.format(Locale.ROOT, "%,d", WARM_UP_ANSWERS),
                        String.join("", rows),
                        String.join(" ", SMALL_SERVER),
                        "`" + String.join(" ", LARGE_SERVER) + "`",
                        queries());
    }

    private static String row(String what, String wanted, String measured) {
        return "| " + what + " | " + wanted + " | " + measured + " |\n";
    }

    private static Spread start() {
        millisToStart();
        return Spread.of(RUNS, EmulatorPerformancePage::millisToStart);
    }

    private static double millisToStart() {
        long began = System.nanoTime();
        try (var emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
                var connection = new HttpConnection(emulator.endpoint())) {
            connection.exchange(HEALTH);
            return (System.nanoTime() - began) / 1e6;
        }
    }

    private static List<String> memory() {
        var resident = new ArrayList<Double>();
        var heap = Spread.of(RUNS, () -> {
            try (var server = EmulatorProcess.start(SMALL_SERVER, List.of());
                    var connection = new HttpConnection(server.endpoint())) {
                connection.exchange(HEALTH);
                double used = server.heapMegabytes();
                resident.add(server.residentMegabytes());
                return used;
            }
        });
        var next = resident.iterator();
        return List.of(
                row("heap of an idle server, MB", "< 128", heap.text("%.0f")),
                row(
                        "resident memory of an idle server, MB",
                        "< 128",
                        Spread.of(RUNS, next::next).text("%.0f")));
    }

    private static String pointReads() {
        try (var server = EmulatorProcess.start(SERVER, List.of());
                var connection = new HttpConnection(server.endpoint())) {
            Workload.makeDatabase(connection);
            var container = Workload.makeContainer(connection, "reads");
            var reads = Workload.pointReads(connection, container, ITEMS);
            return measured(server, () -> Load.perSecond(server.endpoint(), RUN, index -> inTurn(reads, index)));
        }
    }

    /** Answers per second, and what each took of the server's processors, which does not depend on what else the machine does. */
    private static String measured(EmulatorProcess server, DoubleSupplier run) {
        warmUp(run);
        double before = server.processorMillis();
        double[] answers = {0};
        var perSecond = Spread.of(RUNS, () -> {
            double rate = run.getAsDouble();
            answers[0] += rate * RUN.toSeconds();
            return rate;
        });
        double each = (server.processorMillis() - before) / answers[0];
        return perSecond.text("%,.0f") + String.format(Locale.ROOT, "; %.3f ms of processor each", each);
    }

    /** By answers and not by time, so that a busy machine compiles as much of the server before it is measured as a quiet one. */
    private static void warmUp(DoubleSupplier run) {
        double answers = 0;
        while (answers < WARM_UP_ANSWERS) {
            answers += run.getAsDouble() * RUN.toSeconds();
        }
    }

    private static Load.Requests inTurn(List<byte[]> requests, int start) {
        var next = new AtomicInteger(start);
        return () -> requests.get(next.addAndGet(Load.CONNECTIONS) % requests.size());
    }

    private static String inFolder(List<String> further) throws IOException {
        var folder = Files.createTempDirectory("emulator-bench");
        try {
            var arguments = new ArrayList<>(List.of("--data-dir", folder.toString()));
            arguments.addAll(further);
            return batches(arguments);
        } finally {
            remove(folder);
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

    private static String batches(List<String> arguments) {
        try (var server = EmulatorProcess.start(SERVER, arguments);
                var connection = new HttpConnection(server.endpoint())) {
            Workload.makeDatabase(connection);
            return measured(server, () -> batches(server, connection));
        }
    }

    /** Each run has a container of its own, so that all find the same. */
    private static double batches(EmulatorProcess server, HttpConnection connection) {
        var container = Workload.makeContainer(connection, "batches");
        double perSecond = Load.perSecond(server.endpoint(), RUN, index -> Workload.batches(container, index));
        Workload.removeContainer(connection, container);
        return perSecond;
    }

    private static String queries() {
        try (var server = EmulatorProcess.start(LARGE_SERVER, List.of("--partitions", "1"));
                var connection = new HttpConnection(server.endpoint())) {
            Workload.makeDatabase(connection);
            return QueryCost.table(connection, SIZES);
        }
    }
}
