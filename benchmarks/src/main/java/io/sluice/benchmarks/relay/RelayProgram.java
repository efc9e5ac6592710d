package io.sluice.benchmarks.relay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A relay as a program of its own, seen through its port for operators. */
public final class RelayProgram implements AutoCloseable {
    private static final String TOKEN = "benchmark-token-0123456789";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final Process process;
    private final Path log;
    private final int port;

    private RelayProgram(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.port = port;
    }

    /** Starts it with settings in its environment; it may not work yet. */
    public static RelayProgram start(Map<String, String> settings) {
        try {
            int port = freePort();
            var builder = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "io.sluice.relay.Main",
                    "run");
            builder.environment().putAll(settings);
            builder.environment().putAll(Map.of("SLUICE_OPS_PORT", String.valueOf(port), "SLUICE_OPS_TOKEN", TOKEN));
            var log = Files.createTempFile("relay", ".log");
            return new RelayProgram(
                    builder.redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start(),
                    log,
                    port);
        } catch (IOException e) {
            throw new UncheckedIOException("a relay can't be started", e);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** The key ranges it owns and that are in a state; none while it starts. */
    public Set<Integer> ranges(String state) {
        var ranges = new TreeSet<Integer>();
        status().ifPresent(status -> status.at("/status/history/ranges").forEach(range -> {
            if (range.path("state").asText().equals(state)) {
                ranges.add(range.path("index").asInt());
            }
        }));
        return ranges;
    }

    /** What it calls itself in its leases, empty while it starts. */
    public Optional<String> name() {
        return status().map(status -> status.path("relay").asText());
    }

    private Optional<JsonNode> status() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the relay has ended with " + process.exitValue() + ", see " + log);
        }
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
        return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e6;
    }

    /** {@code kill -9}. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Lets it drain. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
        try {
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException("the log of a relay can't be removed", e);
        }
    }
}
