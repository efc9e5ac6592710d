package io.sluice.relay.streams;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.LifecycleJson;
import io.sluice.client.lifecycle.OrchestrationStatistics;
import io.sluice.program.http.Answer;
import io.sluice.program.http.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/**
 * Queries of instances and statistics over HTTP. Any replica answers: it forwards a query to the replicas that hold the
 * state ({@code local=true} restricts a query to this replica).
 */
public final class QueryRoutes {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration RECENT = Duration.ofHours(1);
    private static final String PARTITIONS = "partitions";
    private static final String NEXT = "next";
    private static final Set<String> OF_INSTANCES = Set.of("status", "orchestration", "after", "limit");
    private static final Set<String> OF_STATISTICS = Set.of("from", "to", "orchestration");
    private static final Map<String, String> SOON = Map.of("Retry-After", "1");
    private static final JsonMapper JSON = new JsonMapper();

    private final InteractiveQueries queries;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    public QueryRoutes(InteractiveQueries queries) {
        this.queries = queries;
    }

    /** The queries of a replica that runs streams. */
    public List<Endpoint> endpoints() {
        return Stream.of(
                        Endpoint.shared("/instances/{id}", Set.of(), now(this::ownInstance), now(this::instance)),
                        Endpoint.shared(
                                "/instances",
                                OF_INSTANCES,
                                now(call -> own(instancesHere(call))),
                                now(call -> all(call, instancesHere(call)))),
                        Endpoint.shared(
                                "/statistics",
                                OF_STATISTICS,
                                now(call -> own(statisticsHere(call))),
                                now(call -> all(call, statisticsHere(call)))))
                .flatMap(List::stream)
                .toList();
    }

    /** The same paths of a replica that runs no streams: each answers how to switch them on. */
    public static List<Endpoint> withoutStreams() {
        Endpoint.Handler off = call -> Answer.error(
                404,
                "this replica runs no streams, which know states and statistics of instances: set SLUICE_STREAMS=true "
                        + "and restart it, or ask a replica that runs them");
        return Stream.of(
                        Endpoint.shared("/instances/{id}", Set.of(), off, off),
                        Endpoint.shared("/instances", OF_INSTANCES, off, off),
                        Endpoint.shared("/statistics", OF_STATISTICS, off, off))
                .flatMap(List::stream)
                .toList();
    }

    private static Endpoint.Handler now(Endpoint.Handler handler) {
        return call -> {
            try {
                return handler.answer(call);
            } catch (InteractiveQueries.StateUnavailableException | IOException e) {
                var error = Answer.error(503, String.valueOf(e.getMessage()));
                return new Answer(error.status(), error.contentType(), error.body(), SOON);
            }
        };
    }

    private Answer instance(Endpoint.Call call) throws IOException, InterruptedException {
        var id = call.segment("id");
        var holder = queries.holderOf(id).orElse(null);
        if (holder == null) {
            return ownInstance(call);
        }
        var answer = ask(holder, "/instances/" + encoded(id), Map.of());
        return new Answer(answer.status(), "application/json", answer.body(), answer.status() == 503 ? SOON : Map.of());
    }

    private Answer ownInstance(Endpoint.Call call) {
        return queries.instance(call.segment("id"))
                .map(QueryRoutes::json)
                .orElseGet(() -> Answer.error(404, "there is no instance of this id"));
    }

    private DistributedList<InstanceStatus> instancesHere(Endpoint.Call call) {
        var choice = choice(call);
        return new DistributedList<>(
                "instances",
                InstanceStatus.class,
                queries.instances(choice),
                found -> instances(InteractiveQueries.page(found, choice.limit())));
    }

    private static Map<String, Object> instances(InteractiveQueries.Page page) {
        Map<String, Object> answer = new TreeMap<>(Map.of("instances", page.instances()));
        if (page.next() != null) {
            answer.put(NEXT, page.next());
        }
        return answer;
    }

    private DistributedList<OrchestrationStatistics> statisticsHere(Endpoint.Call call) {
        var now = Instant.now();
        var from = time(call.query(), "from", now.minus(RECENT));
        var to = time(call.query(), "to", now);
        return new DistributedList<>(
                "statistics",
                OrchestrationStatistics.class,
                queries.statistics(from, to, call.query().get("orchestration")),
                found -> statistics(found.values()));
    }

    private static Map<String, Object> statistics(List<OrchestrationStatistics> found) {
        InteractiveQueries.requireFew(found);
        return Map.of("statistics", InteractiveQueries.inOrder(found));
    }

    /**
     * A list that is distributed over all replicas.
     *
     * @param name of the path and of the field
     * @param here the part of this replica
     * @param shown the answer of a part or of the whole
     */
    private record DistributedList<T>(
            String name,
            Class<T> type,
            InteractiveQueries.PartialList<T> here,
            Function<InteractiveQueries.PartialList<T>, Map<String, Object>> shown) {}

    private static <T> Answer own(DistributedList<T> list) {
        Map<String, Object> part = new TreeMap<>(list.shown().apply(list.here()));
        part.put(PARTITIONS, list.here().partitions());
        return json(part);
    }

    /** Without the part of one partition the answer is 503. */
    private <T> Answer all(Endpoint.Call call, DistributedList<T> list) throws IOException, InterruptedException {
        var found = list.here();
        for (HostInfo other : queries.others()) {
            found = found.with(part(other, call.query(), list));
        }
        return json(list.shown().apply(queries.complete(found)));
    }

    private <T> InteractiveQueries.PartialList<T> part(
            HostInfo other, Map<String, String> query, DistributedList<T> list)
            throws IOException, InterruptedException {
        var answer = ask(other, "/" + list.name(), query);
        if (answer.status() == 400) {
            throw new IllegalArgumentException(
                    JSON.readTree(answer.body()).path("error").asText("the query is refused"));
        }
        if (answer.status() != 200) {
            throw new IOException("the replica at " + other.host() + ":" + other.port() + " answers " + answer.status()
                    + ", ask again in a moment");
        }
        var json = JSON.readTree(answer.body());
        Set<Integer> partitions = new TreeSet<>();
        json.path(PARTITIONS).forEach(each -> partitions.add(each.asInt()));
        var values = new ArrayList<T>();
        for (var each : json.path(list.name())) {
            values.add(LifecycleJson.decode(bytes(each), list.type()));
        }
        return new InteractiveQueries.PartialList<>(
                partitions, values, json.path(NEXT).textValue());
    }

    private record PeerAnswer(int status, String body) {}

    private PeerAnswer ask(HostInfo host, String path, Map<String, String> query)
            throws IOException, InterruptedException {
        Map<String, String> local = new TreeMap<>(query);
        local.put(Endpoint.LOCAL, "true");
        var text = new StringBuilder();
        local.forEach((name, value) -> text.append(text.isEmpty() ? '?' : '&')
                .append(encoded(name))
                .append('=')
                .append(encoded(value)));
        var uri = URI.create("http://" + host.host() + ":" + host.port() + path + text);
        try {
            var answer = http.send(HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(), BodyHandlers.ofString());
            return new PeerAnswer(answer.statusCode(), answer.body());
        } catch (IOException e) {
            throw new IOException(
                    "the replica at " + host.host() + ":" + host.port() + " does not answer, ask again in a moment", e);
        }
    }

    private static InteractiveQueries.InstanceFilter choice(Endpoint.Call call) {
        Map<String, String> query = call.query();
        return new InteractiveQueries.InstanceFilter(
                state(query.get("status")), query.get("orchestration"), query.getOrDefault("after", ""), call.limit());
    }

    private static @Nullable State state(@Nullable String text) {
        if (text == null) {
            return null;
        }
        return Arrays.stream(State.values())
                .filter(state -> state.name().equals(text.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("status must be one of "
                        + Arrays.toString(State.values()).toLowerCase(Locale.ROOT) + ", was \"" + text + "\""));
    }

    private static Instant time(Map<String, String> query, String name, Instant otherwise) {
        var text = query.get(name);
        try {
            return text == null ? otherwise : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    name + " must be a time such as 2026-01-31T12:00:00Z, was \"" + text + "\"", e);
        }
    }

    private static Answer json(Object value) {
        return new Answer(
                200, "application/json", new String(LifecycleJson.encode(value), StandardCharsets.UTF_8), Map.of());
    }

    private static byte[] bytes(JsonNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
