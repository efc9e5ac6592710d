package io.sluice.relay.ledger.process;

import static org.awaitility.Awaitility.await;

import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.RelayEnvironment;
import io.sluice.relay.ledger.process.Fleet.Kind;
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
public final class Replicas implements AutoCloseable {
    /** How many partitions each topic has. */
    public static final int PARTITIONS = 4;
    /** The topic of events. */
    public static final String HISTORY = Servers.PREFIX + ".history";
    /** The topic of facts. */
    public static final String LIFECYCLE = Servers.PREFIX + ".lifecycle";

    private static final Duration WATCH_POLL = Duration.ofSeconds(1);

    private final Fleet fleet;
    private final List<JavaProcess> relays = new ArrayList<>();
    private final List<URI> ready = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    private Replicas(Fleet fleet) {
        this.fleet = fleet;
    }

    /** Starts both, and returns before they work. */
    public static Replicas start(CosmosStoreConfig store, String bootstrapServers) throws IOException {
        var environment = RelayEnvironment.of(
                store,
                bootstrapServers,
                Servers.PREFIX,
                Map.of(
                        "SLUICE_TOPIC_PARTITIONS",
                        String.valueOf(PARTITIONS),
                        "SLUICE_TOPIC_REPLICATION",
                        "3",
                        "SLUICE_STREAMS",
                        "true"));
        var replicas = new Replicas(new Fleet(Servers.folder("brokers", "relays"), environment));
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

    /** Waits until both work. */
    public void awaitRunning() {
        relays.forEach(Kind.RELAY::awaitWorking);
    }

    /** For so long; prints what is not ready, whenever it changes. */
    public void watch(Duration time) {
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
