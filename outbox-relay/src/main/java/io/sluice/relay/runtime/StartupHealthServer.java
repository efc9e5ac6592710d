package io.sluice.relay.runtime;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.program.http.Endpoint;
import io.sluice.program.http.OpsPort;
import io.sluice.program.http.OpsServer;
import io.sluice.relay.metrics.HealthMeters;
import io.sluice.relay.status.RelayStatus;
import java.util.List;

/** Answers at a relay's port until the relay itself does: alive, not ready, and why not. Thread-safe. */
public final class StartupHealthServer implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final OpsServer server;
    private volatile String reason = "the relay starts";

    public StartupHealthServer(String name, OpsPort http) {
        HealthMeters.registerHealth(registry, () -> true, () -> false);
        this.server = new OpsServer(
                http,
                List.of(
                        Endpoint.probe("/health/live", call -> OpsRoutes.health(List.of(), List.of())),
                        Endpoint.probe("/health/ready", call -> OpsRoutes.health(List.of(reason), List.of())),
                        Endpoint.probe("/metrics", call -> OpsRoutes.metrics(registry)),
                        Endpoint.get("/status", call -> OpsRoutes.status(name, true, false, RelayStatus.NOT_RUNNING))));
    }

    /**
     * Opens the port; an open one stays as it is.
     *
     * @throws io.sluice.program.PrerequisiteException when it can't be
     */
    public void open() {
        server.start();
    }

    int port() {
        return server.port();
    }

    /** Why the last try to start failed. */
    public void failed(String newReason) {
        reason = "the relay can't start yet: " + newReason;
    }

    /** Gives the port free. */
    @Override
    public void close() {
        server.close();
    }
}
