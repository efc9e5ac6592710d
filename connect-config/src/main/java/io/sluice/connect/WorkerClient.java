package io.sluice.connect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;

/** Speaks to a Connect worker's REST interface. Used by one thread. */
final class WorkerClient {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration REST = Duration.ofMillis(500);
    private static final int OK = 200;
    private static final int FIRST_REFUSAL = 300;
    private static final int UNAUTHORIZED = 401;
    private static final int REBALANCING = 409;
    private static final int SERVER_ERROR = 500;
    private static final int TRIES = 60;
    /** A worker acts on a change after it has answered; how long the state from before may be the one it shows. */
    private static final Duration STALE = Duration.ofSeconds(20);

    private final WorkerAddress worker;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();

    WorkerClient(WorkerAddress worker) {
        this.worker = worker;
    }

    /**
     * What was asked of the worker.
     *
     * @param refusal why the worker refuses, empty when it doesn't
     * @param before where the connector stood, when that is to change
     */
    record Put(String name, String refusal, Optional<ConnectorState> before) {}

    /**
     * Makes or changes a connector, and starts again what had failed; while the workers share out their work again, or
     * one has just started, it waits for them.
     *
     * @throws IllegalStateException when no worker answers the first question
     */
    Put put(ConnectorFile file) throws InterruptedException {
        ConnectorState before = state(send(get(path(file.name(), "/status"))));
        boolean isThere = before.isRunning() && isAsIn(file);
        String refusal = change(HttpRequest.newBuilder(path(file.name(), "/config"))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(json(file))));
        if (refusal.isEmpty() && before.hasFailed()) {
            refusal = change(HttpRequest.newBuilder(path(file.name(), "/restart?includeTasks=true&onlyFailed=true"))
                    .POST(BodyPublishers.noBody()));
        }
        return new Put(file.name(), refusal, isThere ? Optional.empty() : Optional.of(before));
    }

    private boolean isAsIn(ConnectorFile file) throws InterruptedException {
        var answer = send(get(path(file.name(), "/config")));
        var shown = new TreeMap<String, String>();
        tree(answer.body())
                .properties()
                .forEach(entry -> shown.put(entry.getKey(), entry.getValue().asText()));
        shown.remove("name");
        var told = new TreeMap<>(file.config());
        told.remove("name");
        return shown.equals(told);
    }

    /** Asks again while there is no answer, or one that passes; why it is refused, empty when it is not. */
    private String change(HttpRequest.Builder request) throws InterruptedException {
        Answer answer = answer(request);
        for (int i = 1; i < TRIES && answer.mayPass(); i++) {
            Thread.sleep(REST.toMillis());
            answer = answer(request);
        }
        return answer.status() >= OK && answer.status() < FIRST_REFUSAL ? "" : answer.refusal();
    }

    /**
     * What came of a request.
     *
     * @param status 0 when there was no answer
     */
    private record Answer(int status, String text) {
        boolean mayPass() {
            boolean isTimedOut = status == SERVER_ERROR && text.contains("timed out");
            return status == 0 || status == REBALANCING || status > SERVER_ERROR || isTimedOut;
        }

        String refusal() {
            if (status == 0) {
                return text;
            }
            JsonNode message = tree(text).path("message");
            if (status == UNAUTHORIZED) {
                return status + ": the worker asks for " + WorkerAddress.USER + " and " + WorkerAddress.PASSWORD;
            }
            return message.isTextual()
                    ? status + " " + message.asText()
                    : status + ", which is no answer of a Connect worker; check --url";
        }
    }

    private Answer answer(HttpRequest.Builder request) throws InterruptedException {
        try {
            HttpResponse<String> answer = exchange(request);
            return new Answer(answer.statusCode(), answer.body());
        } catch (IOException e) {
            return new Answer(0, unanswered(e));
        }
    }

    /**
     * Waits until a connector and all of its tasks run, one of them has failed, it is paused or stopped, or time is up
     * ({@link System#nanoTime}). The state from before the change is taken for the one after it only when it stays. A
     * worker that does not answer meanwhile is asked again.
     */
    ConnectorState awaitRunning(Put put, long deadline) throws InterruptedException {
        long staleUntil = System.nanoTime() + STALE.toNanos();
        var before = put.before();
        var state = stateNow(put.name());
        while (System.nanoTime() - deadline < 0 && !state.isHalted()) {
            if (before.filter(state::equals).isEmpty() || System.nanoTime() - staleUntil >= 0) {
                before = Optional.empty();
                if (state.isRunning() || state.hasFailed()) {
                    break;
                }
            }
            Thread.sleep(REST.toMillis());
            state = stateNow(put.name());
        }
        return state.isHalted()
                ? state.with("; resume it by PUT " + path(put.name(), "/resume").getRawPath())
                : state;
    }

    private ConnectorState stateNow(String name) throws InterruptedException {
        try {
            return state(exchange(get(path(name, "/status"))));
        } catch (IOException e) {
            return ConnectorState.unknown(unanswered(e));
        }
    }

    private static ConnectorState state(HttpResponse<String> answer) {
        JsonNode status = tree(answer.body());
        return answer.statusCode() == OK && status.path("connector").isObject()
                ? ConnectorState.of(status)
                : ConnectorState.unknown("no status yet (" + answer.statusCode() + ")");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws InterruptedException {
        try {
            return exchange(request);
        } catch (IOException e) {
            throw new IllegalStateException(unanswered(e), e);
        }
    }

    private HttpResponse<String> exchange(HttpRequest.Builder request) throws IOException, InterruptedException {
        worker.authorization().ifPresent(text -> request.setHeader("Authorization", text));
        return http.send(request.timeout(PATIENCE).build(), BodyHandlers.ofString());
    }

    private String unanswered(IOException e) {
        return "no Connect worker answers at " + worker.url() + " (" + e + "); check --url";
    }

    private static HttpRequest.Builder get(URI uri) {
        return HttpRequest.newBuilder(uri);
    }

    /** Whatever characters the name has, it is one segment of the path. */
    private URI path(String connector, String rest) {
        String segment = URLEncoder.encode(connector, StandardCharsets.UTF_8).replace("+", "%20");
        return URI.create(worker.url() + "/connectors/" + segment + rest);
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
