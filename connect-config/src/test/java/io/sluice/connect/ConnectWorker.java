package io.sluice.connect;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.connect.cli.ConnectDistributed;

/** Kafka's own distributed worker as a process, with the worker file that is shipped. */
final class ConnectWorker implements AutoCloseable {
    private static final Path SHIPPED = Path.of("worker", "connect-distributed.properties");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int FIRST_REFUSAL = 400;
    private static final int REBALANCING = 409;
    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final JavaProcess process;
    private final String url;
    private final HttpClient http = HttpClient.newHttpClient();

    private ConnectWorker(JavaProcess process) {
        this.process = process;
        this.url = process.awaitPrinted("REST server listening at ").replaceAll("/,.*", "");
    }

    /**
     * Starts a worker and returns when it answers.
     *
     * @param folder where its settings are written
     * @param bootstrapServers of a single broker
     * @param environment what its config provider may find, beside Kafka and the names of database and container
     * @param overrides settings of the machine, in place of those in the file
     */
    static ConnectWorker start(
            Path folder, String bootstrapServers, Map<String, String> environment, Map<String, String> overrides)
            throws IOException {
        var settings = new Properties();
        try (var reader = Files.newBufferedReader(SHIPPED)) {
            settings.load(reader);
        }
        for (var topic : List.of("offset", "config", "status")) {
            settings.setProperty(topic + ".storage.replication.factor", "1");
        }
        settings.putAll(overrides);
        settings.setProperty("listeners", "http://127.0.0.1:0");
        var file = folder.resolve("worker.properties");
        try (var writer = Files.newBufferedWriter(file)) {
            settings.store(writer, null);
        }
        var program = JavaProgram.of(ConnectDistributed.class, file.toString())
                .small(256)
                .withFlags("-Dlogback.configurationFile="
                        + Path.of("src/test/resources/worker-logback.xml").toAbsolutePath())
                .with(Map.of(
                        "KAFKA_BOOTSTRAP_SERVERS", bootstrapServers,
                        "SLUICE_PREFIX", "orders",
                        "COSMOS_DATABASE", "duroxide",
                        "COSMOS_CONTAINER", "duroxide"))
                .with(environment);
        var worker = new ConnectWorker(program.start());
        worker.awaitAnswer();
        return worker;
    }

    /** Its server listens before the worker has joined its group; until then it answers 404 in HTML. */
    private void awaitAnswer() {
        await().atMost(PATIENCE)
                .until(() ->
                        http.send(HttpRequest.newBuilder(uri("/connectors")).build(), BodyHandlers.discarding())
                                        .statusCode()
                                == 200);
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        return exchange(HttpRequest.newBuilder(uri(path)).build());
    }

    /** Fails with what the worker says when it refuses. */
    JsonNode put(String path, Object body) throws IOException, InterruptedException {
        var answer = answer(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build());
        if (answer.statusCode() >= FIRST_REFUSAL) {
            throw new IllegalStateException(path + " was refused: " + answer.statusCode() + " " + answer.body());
        }
        return JSON.readTree(answer.body());
    }

    /** What a worker says of a connector's tasks: their states, one {@code RUNNING} each when all is well. */
    List<String> taskStates(String connector) {
        try {
            var tasks = get("/connectors/" + connector + "/status").path("tasks");
            List<String> states = new ArrayList<>();
            tasks.forEach(task ->
                    states.add(task.path("state").asText() + task.path("trace").asText()));
            return states;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private JsonNode exchange(HttpRequest request) throws IOException, InterruptedException {
        return JSON.readTree(answer(request).body());
    }

    /** What it says once it has distributed its connectors: meanwhile it refuses requests of any kind. */
    private HttpResponse<String> answer(HttpRequest request) {
        return await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(INTERVAL)
                .until(() -> http.send(request, BodyHandlers.ofString()), answer -> answer.statusCode() != REBALANCING);
    }

    private URI uri(String path) {
        return URI.create(url + path);
    }

    List<String> output() {
        return process.lines();
    }

    @Override
    public void close() {
        process.close();
    }
}
