package io.sluice.relay.runtime;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.program.http.Answer;
import io.sluice.program.http.Endpoint;
import io.sluice.relay.control.Pauses;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.status.RelayStatus;
import io.sluice.relay.watch.LagMonitor;
import io.sluice.relay.watch.RecentEvents;
import io.sluice.relay.watch.WorkAssignments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The endpoints of a replica for health, metrics, status, lag and events, and for pausing its pipelines. */
public record OpsRoutes(
        String name,
        RelayHealth health,
        PrometheusMeterRegistry registry,
        Pauses pauses,
        RecentEvents tail,
        LagMonitor lag,
        WorkAssignments owners) {
    private static final String ALL = "all";

    public List<Endpoint> endpoints() {
        return List.of(
                Endpoint.probe("/health/live", call -> health(health.lifeFaults(), pauses.labels())),
                Endpoint.probe("/health/ready", call -> health(health.readinessFaults(), pauses.labels())),
                Endpoint.probe("/metrics", call -> metrics(registry)),
                Endpoint.get(
                        "/status",
                        call -> status(
                                name,
                                health.lifeFaults().isEmpty(),
                                health.readinessFaults().isEmpty(),
                                health.status().get())),
                Endpoint.get("/lag", call -> Answer.json(200, Map.of("samples", samples()))),
                Endpoint.get("/events", call -> Answer.json(200, Map.of("events", tail.latest()))),
                Endpoint.read("/owners", Set.of(), call -> Answer.json(200, owners.now())),
                Endpoint.get("/", call -> page("text/html; charset=utf-8", "ops.html")),
                Endpoint.get("/ops.js", call -> page("text/javascript; charset=utf-8", "ops.js")),
                Endpoint.get("/ops.css", call -> page("text/css; charset=utf-8", "ops.css")),
                Endpoint.post("/pause/{pipeline}", call -> change(call, Pauses::pause)),
                Endpoint.post("/resume/{pipeline}", call -> change(call, Pauses::resume)));
    }

    /** All meters, as Prometheus reads them. */
    public static Answer metrics(PrometheusMeterRegistry registry) {
        return Answer.metrics(registry.scrape());
    }

    private static Answer page(String contentType, String resource) throws IOException {
        try (var in = OpsRoutes.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the program lacks " + resource);
            }
            return Answer.text(contentType, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** The health as JSON, with the reasons if it is bad. */
    public static Answer health(List<String> faults, List<String> paused) {
        return Answer.health(faults, Map.of("paused", paused));
    }

    /** The status as JSON. */
    public static Answer status(String name, boolean live, boolean ready, RelayStatus status) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("relay", name);
        body.put("live", live);
        body.put("ready", ready);
        body.put("status", status);
        return Answer.json(200, body);
    }

    private List<Map<String, @Nullable Object>> samples() {
        return lag.samples().stream()
                .map(sample -> {
                    Map<String, @Nullable Object> one = new LinkedHashMap<>();
                    one.put("atMillis", sample.atMillis());
                    one.put("events", RelayStatus.known(sample.events()));
                    one.put("seconds", RelayStatus.known(sample.seconds()));
                    return one;
                })
                .toList();
    }

    private Answer change(Endpoint.Call call, BiConsumer<Pauses, List<Pipeline>> change) {
        change.accept(pauses, parts(call.segment("pipeline")));
        return Answer.json(200, Map.of("paused", pauses.labels()));
    }

    private static List<Pipeline> parts(String label) {
        var parts = Arrays.stream(Pipeline.values())
                .filter(part -> label.equals(ALL) || label.equals(part.label()))
                .toList();
        if (parts.isEmpty()) {
            var labels = Arrays.stream(Pipeline.values()).map(Pipeline::label).collect(Collectors.joining(", "));
            throw new IllegalArgumentException(
                    "the pipeline must be " + ALL + " or one of " + labels + ", was \"" + label + "\"");
        }
        return parts;
    }
}
