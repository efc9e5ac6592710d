package io.sluice.durabletask.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.program.http.Answer;
import io.sluice.program.http.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What the port for operators shows; each is asked for at every request. Nothing can be changed there.
 *
 * @param life reasons why the process should be restarted; empty when it is well
 * @param readiness reasons why it should get no calls; empty when it is ready
 * @param status an object for JSON
 * @param meters all of them, for Prometheus
 */
public record HostEndpoints(
        Supplier<List<String>> life,
        Supplier<List<String>> readiness,
        Supplier<Map<String, Object>> status,
        PrometheusMeterRegistry meters) {
    /** Health, status and metrics. */
    public List<Endpoint> all() {
        return List.of(
                Endpoint.probe("/health/live", call -> Answer.health(life.get())),
                Endpoint.probe("/health/ready", call -> Answer.health(readiness.get())),
                Endpoint.probe("/metrics", call -> Answer.metrics(meters.scrape())),
                Endpoint.get("/status", call -> Answer.json(200, status.get())));
    }
}
