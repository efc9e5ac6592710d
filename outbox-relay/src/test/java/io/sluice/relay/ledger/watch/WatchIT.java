package io.sluice.relay.ledger.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The watch sees a process that leaks, in every measure. The process leaks once a look, however slow the machine is.
 */
@Tag("thorough")
@Isolated("it judges by times of some tenths of a second")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WatchIT {
    private static final int LOOKS = 45;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int UNUSED_PORT = 1;

    @TempDir
    Path folder;

    private final Queue<Socket> connections = new ConcurrentLinkedQueue<>();

    @Test
    void a_process_that_leaks_is_seen_to_grow_and_one_measure_that_stays_is_flat() throws Exception {
        try (var server = new ServerSocket(0, LOOKS, InetAddress.getLoopbackAddress());
                var program = JavaProgram.of(LeakingProgram.class, String.valueOf(server.getLocalPort()))
                        .watched(128)
                        .start()) {
            leakOnce(server);
            try (var watch = new Watch(
                    List.of(new Watch.Watched("leaking", program.pid())),
                    new Watch.Ports(UNUSED_PORT, server.getLocalPort()),
                    () -> leakOnce(server),
                    new Watch.Pace(Duration.ofMillis(50), Duration.ofMillis(50)))) {
                watch.start();
                await().atMost(PATIENCE).until(() -> connections.size() > LOOKS);
                var samples = watch.end();

                var flat = samples.verdicts().stream()
                        .collect(Collectors.toMap(
                                Samples.Verdict::measure,
                                verdict -> verdict.flatness().isFlat()));
                assertThat(flat)
                        .containsEntry(Measure.RSS, false)
                        .containsEntry(Measure.HEAP, false)
                        .containsEntry(Measure.DIRECT, false)
                        .containsEntry(Measure.THREADS, false)
                        .containsEntry(Measure.DESCRIPTORS, false)
                        .containsEntry(Measure.TO_KAFKA, false)
                        .containsEntry(Measure.TO_COSMOS, true);
                samples.writeCsv(folder.resolve("samples.csv"));
                assertThat(Files.readAllLines(folder.resolve("samples.csv")))
                        .hasSize(1 + samples.count())
                        .contains("process,measure,seconds,value");
            }
        } finally {
            for (var connection : connections) {
                connection.close();
            }
        }
    }

    private long leakOnce(ServerSocket server) {
        try {
            var connection = server.accept();
            connections.add(connection);
            connection.getOutputStream().write(1);
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
