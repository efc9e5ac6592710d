package io.sluice.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.process.JavaProcess;
import io.sluice.testkit.process.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A relay as a process of its own ({@code -Xmx256m}), seen through its port for operators. */
final class RelayProcess implements AutoCloseable {
    /** As which it asks the store. */
    static final String APPLICATION = "relay";

    private static final String TOKEN = "benchmark-token-0123456789";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final JavaProcess process;
    private final int port;

    private RelayProcess(JavaProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts it and returns when it answers; it may own nothing yet.
     *
     * @param settings those that are not the defaults: at least a broker and a prefix
     */
    static RelayProcess start(EmulatedStore store, Map<String, String> settings) {
        try {
            int port = FreePorts.of(1).get(0);
            var program = JavaProgram.ofClass("io.sluice.relay.cli.Main", "run")
                    .named("relay")
                    .withFlags("-Xmx256m")
                    .with(store.variablesOf(APPLICATION))
                    .with(settings)
                    .with(Map.of(
                            "SLUICE_TOPIC_REPLICATION",
                            "1",
                            "SLUICE_OPS_PORT",
                            Integer.toString(port),
                            "SLUICE_OPS_TOKEN",
                            TOKEN));
            var relay = new RelayProcess(program.start(), port);
            // One by one: on few processors several JVMs that start at a time run into each other's time-outs.
            Wait.until("a relay answers", () -> relay.status().isPresent());
            return relay;
        } catch (IOException e) {
            throw new UncheckedIOException("no port for a relay", e);
        }
    }

    /** The names of the key ranges it owns and that are in a state. */
    Set<String> ranges(String state) {
        var ranges = new TreeSet<String>();
        status().ifPresent(status -> status.at("/status/history/ranges").forEach(range -> {
            if (range.path("state").asText().equals(state)) {
                ranges.add(range.path("range").asText());
            }
        }));
        return ranges;
    }

    private Optional<JsonNode> status() {
        process.requireAlive();
        try {
            return Optional.of(JSON.readTree(send("GET", "/status")));
        } catch (IOException e) {
            return Optional.empty(); // it does not listen yet
        }
    }

    /** Lets it publish no events, or go on. */
    void pauseEvents(boolean isPaused) {
        try {
            send("POST", isPaused ? "/pause/events" : "/resume/events");
        } catch (IOException e) {
            throw new UncheckedIOException("the relay can't be paused", e);
        }
    }

    private String send(String method, String path) throws IOException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + TOKEN)
                .method(method, BodyPublishers.noBody())
                .build();
        try {
            var answer = http.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("the relay answers " + answer.statusCode() + ": " + answer.body());
            }
            return answer.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the relay", e);
        }
    }

    /** The time of processors it has had, in milliseconds. */
    double processorMillis() {
        return ProcessHandle.of(process.pid())
                        .flatMap(handle -> handle.info().totalCpuDuration())
                        .orElseThrow()
                        .toNanos()
                / 1e6;
    }

    /** {@code kill -9}. */
    void kill() {
        process.kill();
    }

    /** Lets it drain. */
    @Override
    public void close() {
        process.end();
    }
}
