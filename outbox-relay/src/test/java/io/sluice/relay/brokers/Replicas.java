package io.sluice.relay.brokers;

import static org.awaitility.Awaitility.await;

import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.RelayProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Two relays with streams, as processes; what they print goes into files below {@code target}. */
final class Replicas implements AutoCloseable {
    static final int PARTITIONS = 4;
    static final String HISTORY = "brokers.history";
    static final String LIFECYCLE = "brokers.lifecycle";

    private static final Duration WATCH_POLL = Duration.ofSeconds(1);
    private static final Path LOGS = Path.of("target", "brokers");

    private final List<RelayProcess> relays = new ArrayList<>();
    private final List<URI> ready = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    private Replicas() {}

    static Replicas start(CosmosStoreConfig store, String bootstrapServers) throws IOException {
        var replicas = new Replicas();
        replicas.join(1, store, bootstrapServers);
        replicas.join(2, store, bootstrapServers);
        return replicas;
    }

    private void join(int number, CosmosStoreConfig store, String bootstrapServers) throws IOException {
        Files.createDirectories(LOGS);
        var log = log(number);
        Files.deleteIfExists(log);
        int port = freePort();
        ready.add(URI.create("http://127.0.0.1:" + port + "/health/ready"));
        relays.add(RelayProcess.start(
                Map.ofEntries(
                        Map.entry("COSMOS_ENDPOINT", store.endpoint()),
                        Map.entry("COSMOS_KEY", store.key()),
                        Map.entry("COSMOS_DATABASE", store.database()),
                        Map.entry("COSMOS_CONTAINER", store.container()),
                        Map.entry("KAFKA_BOOTSTRAP_SERVERS", bootstrapServers),
                        Map.entry("SLUICE_PREFIX", "brokers"),
                        Map.entry("SLUICE_TOPIC_PARTITIONS", String.valueOf(PARTITIONS)),
                        Map.entry("SLUICE_TOPIC_REPLICATION", "3"),
                        Map.entry("SLUICE_STREAMS", "true"),
                        Map.entry(
                                "SLUICE_STREAMS_STATE",
                                Files.createTempDirectory("sluice-streams-").toString()),
                        Map.entry("SLUICE_STREAMS_ADVERTISED", "127.0.0.1:" + port),
                        Map.entry("SLUICE_OPS_PORT", String.valueOf(port))),
                line -> append(log, line)));
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void append(Path log, String line) {
        try {
            Files.writeString(log, line + System.lineSeparator(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitRunning() throws InterruptedException {
        for (var relay : relays) {
            relay.awaitRunning();
        }
    }

    /** For so long; prints what is not ready, whenever it changes. */
    void watch(Duration time) {
        long begun = System.nanoTime();
        var before = new AtomicReference<>(List.<String>of());
        await().forever().pollDelay(Duration.ZERO).pollInterval(WATCH_POLL).until(() -> {
            var elapsed = Duration.ofNanos(System.nanoTime() - begun);
            var now = notReady();
            if (!now.equals(before.getAndSet(now))) {
                System.out.printf("  after %d s: %s%n", elapsed.toSeconds(), now);
            }
            return elapsed.compareTo(time) >= 0;
        });
    }

    private List<String> notReady() throws InterruptedException {
        var reasons = new ArrayList<String>();
        for (int i = 0; i < ready.size(); i++) {
            try {
                var answer =
                        client.send(HttpRequest.newBuilder(ready.get(i)).build(), HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    reasons.add("replica " + (i + 1) + ": " + answer.body());
                }
            } catch (IOException e) {
                reasons.add("replica " + (i + 1) + " gives no answer: " + e);
            }
        }
        return reasons;
    }

    private static Path log(int number) {
        return LOGS.resolve("relay-" + number + ".log");
    }

    @Override
    public void close() {
        relays.forEach(RelayProcess::close);
    }
}
