package io.sluice.connect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Speaks to a Connect worker's REST interface. Used by one thread. */
final class WorkerClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration REST = Duration.ofMillis(500);
    private static final int FIRST_REFUSAL = 400;
    private static final int REBALANCING = 409;
    private static final int TRIES = 60;
    /** A worker acts on a change after it has answered; how long the state from before may be the one it shows. */
    private static final Duration STALE = Duration.ofSeconds(20);

    private final URI url;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    WorkerClient(URI url) {
        this.url = URI.create(url.toString().replaceAll("/+$", ""));
    }

    /**
     * Where a connector stands.
     *
     * @param words its state and those of its tasks, with the first line of what ended them
     */
    record State(boolean isRunning, String words) {
        boolean hasFailed() {
            return words.contains("FAILED");
        }
    }

    /**
     * What was asked of the worker.
     *
     * @param refusal why the worker refuses, empty when it doesn't
     * @param before where the connector stood, when that is to change
     */
    record Put(String name, String refusal, Optional<State> before) {}

    /** Makes or changes a connector, and starts again what had failed; while the workers share out their work anew it waits for them. */
    Put put(ConnectorFile file) throws InterruptedException {
        var before = state(file.name());
        boolean isThere = before.isRunning() && isAsIn(file);
        var refusal = change(HttpRequest.newBuilder(at("/connectors/" + file.name() + "/config"))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(json(file))));
        if (refusal.isEmpty() && before.hasFailed()) {
            refusal = change(HttpRequest.newBuilder(
                            at("/connectors/" + file.name() + "/restart?includeTasks=true&onlyFailed=true"))
                    .POST(BodyPublishers.noBody()));
        }
        return new Put(file.name(), refusal, isThere ? Optional.empty() : Optional.of(before));
    }

    private boolean isAsIn(ConnectorFile file) throws InterruptedException {
        var answer = send(HttpRequest.newBuilder(at("/connectors/" + file.name() + "/config")));
        var shown = new TreeMap<String, String>();
        tree(answer.body())
                .properties()
                .forEach(entry -> shown.put(entry.getKey(), entry.getValue().asText()));
        shown.remove("name");
        var told = new TreeMap<>(file.config());
        told.remove("name");
        return shown.equals(told);
    }

    private String change(HttpRequest.Builder request) throws InterruptedException {
        var answer = send(request);
        for (int i = 1; i < TRIES && answer.statusCode() == REBALANCING; i++) {
            Thread.sleep(REST.toMillis());
            answer = send(request);
        }
        return answer.statusCode() < FIRST_REFUSAL
                ? ""
                : answer.statusCode() + " "
                        + tree(answer.body()).path("message").asText(answer.body());
    }

    /**
     * Waits until a connector and all of its tasks run, one of them has failed, or time is up ({@link System#nanoTime}). The state from before the change is
     * taken for the one after it only when it stays.
     */
    State awaitRunning(Put put, long deadline) throws InterruptedException {
        long staleUntil = System.nanoTime() + STALE.toNanos();
        var before = put.before();
        var state = state(put.name());
        while (System.nanoTime() - deadline < 0) {
            if (before.filter(state::equals).isEmpty() || System.nanoTime() - staleUntil >= 0) {
                before = Optional.empty();
                if (state.isRunning() || state.hasFailed()) {
                    break;
                }
            }
            Thread.sleep(REST.toMillis());
            state = state(put.name());
        }
        return state;
    }

    private State state(String name) throws InterruptedException {
        var answer = send(HttpRequest.newBuilder(at("/connectors/" + name + "/status")));
        if (answer.statusCode() >= FIRST_REFUSAL) {
            return new State(false, "no status yet (" + answer.statusCode() + ")");
        }
        var status = tree(answer.body());
        List<String> states = new ArrayList<>();
        states.add(words(status.path("connector")));
        status.path("tasks")
                .forEach(task -> states.add("task " + task.path("id").asText() + " " + words(task)));
        boolean running =
                !status.path("tasks").isEmpty() && states.stream().allMatch(state -> state.endsWith("RUNNING"));
        return new State(running, String.join(", ", states));
    }

    private static String words(JsonNode part) {
        var trace = part.path("trace").asText();
        return part.path("state").asText()
                + (trace.isEmpty() ? "" : " (" + trace.lines().findFirst().orElse("") + ")");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws InterruptedException {
        try {
            return http.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException("no Connect worker answers at " + url + " (" + e + "); check --url", e);
        }
    }

    private URI at(String path) {
        return URI.create(url + path);
    }

    private static String json(ConnectorFile file) {
        try {
            return JSON.writeValueAsString(file.config());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts are always JSON", e);
        }
    }

    private static JsonNode tree(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return JSON.missingNode();
        }
    }
}
