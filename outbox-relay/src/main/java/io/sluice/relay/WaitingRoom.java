package io.sluice.relay;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.relay.http.Answer;
import io.sluice.relay.http.Endpoint;
import io.sluice.relay.http.OpsServer;
import io.sluice.relay.metrics.StandingMeters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers at a relay's port until the relay itself does: alive, not ready, and why not. Thread-safe. */
final class WaitingRoom implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final String name;
    private final OpsServer server;
    private volatile String reason = "the relay starts";

    WaitingRoom(String name, RelayConfig.Http http) {
        this.name = name;
        StandingMeters.registerHealth(registry, () -> true, () -> false);
        this.server = new OpsServer(
                Overview.settings(http),
                List.of(
                        Endpoint.get("/health/live", call -> health(200, List.of())),
                        Endpoint.get("/health/ready", call -> health(503, List.of(reason))),
                        Endpoint.get("/metrics", call -> OpsRoutes.metrics(registry)),
                        Endpoint.get("/status", call -> Answer.json(200, status()))));
    }

    private static Answer health(int code, List<String> reasons) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("well", reasons.isEmpty());
        body.put("reasons", reasons);
        body.put("paused", List.of());
        return Answer.json(code, body);
    }

    private Map<String, Object> status() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("relay", name);
        body.put("live", true);
        body.put("ready", false);
        body.put("status", RelayStatus.NOT_RUNNING);
        return body;
    }

    /**
     * Opens the port; an open one stays as it is.
     *
     * @throws io.sluice.relay.ops.StartFault when it can't be
     */
    void open() {
        server.start();
    }

    int port() {
        return server.port();
    }

    /** Why the last try to start failed. */
    void failed(String newReason) {
        reason = "the relay can't start yet: " + newReason;
    }

    /** Gives the port free. */
    @Override
    public void close() {
        server.close();
    }
}
