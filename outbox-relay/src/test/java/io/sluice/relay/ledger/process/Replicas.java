package io.sluice.relay.ledger;

import static org.awaitility.Awaitility.await;

import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.RelayEnvironment;
import io.sluice.relay.ledger.Fleet.Kind;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.process.JavaProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Two relays with streams, and whether they say that they are ready. */
final class Replicas implements AutoCloseable {
    static final int PARTITIONS = 4;
    static final String HISTORY = LedgerRun.PREFIX + ".history";
    static final String LIFECYCLE = LedgerRun.PREFIX + ".lifecycle";

    private static final Duration WATCH_POLL = Duration.ofSeconds(1);

    private final Fleet fleet;
    private final List<JavaProcess> relays = new ArrayList<>();
    private final List<URI> ready = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    private Replicas(Fleet fleet) {
        this.fleet = fleet;
    }

    static Replicas start(CosmosStoreConfig store, String bootstrapServers) throws IOException {
        var environment = RelayEnvironment.of(
                store,
                bootstrapServers,
                LedgerRun.PREFIX,
                Map.of(
                        "SLUICE_TOPIC_PARTITIONS",
                        String.valueOf(PARTITIONS),
                        "SLUICE_TOPIC_REPLICATION",
                        "3",
                        "SLUICE_STREAMS",
                        "true"));
        var replicas = new Replicas(new Fleet(LedgerRun.folder("brokers", "relays"), environment));
        for (int port : FreePorts.of(2)) {
            replicas.join(port);
        }
        return replicas;
    }

    private void join(int port) throws IOException {
        ready.add(URI.create("http://127.0.0.1:" + port + "/health/ready"));
        relays.add(fleet.join(
                Kind.RELAY,
                false,
                Map.of(
                        "SLUICE_STREAMS_STATE",
                        Files.createTempDirectory("sluice-streams-").toString(),
                        "SLUICE_STREAMS_ADVERTISED",
                        "127.0.0.1:" + port,
                        "SLUICE_OPS_PORT",
                        String.valueOf(port))));
    }

    void awaitRunning() {
        relays.forEach(Kind.RELAY::awaitWorking);
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

    @Override
    public void close() {
        fleet.close();
    }
}
