package io.sluice.durabletask.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerResponse;

/**
 * The port for operators: {@code /health/live}, {@code /health/ready}, {@code /metrics} and {@code /status}. It changes
 * nothing. Thread-safe.
 */
public final class OpsServer implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final DisposableServer server;

    /**
     * What the port shows; each is asked for at every request.
     *
     * @param life reasons why the process should be restarted; empty when it is well
     * @param readiness reasons why it should get no calls; empty when it is ready
     * @param status an object for JSON
     */
    public record Views(
            Supplier<List<String>> life, Supplier<List<String>> readiness, Supplier<Map<String, Object>> status) {}

    /**
     * Opens the port.
     *
     * @throws RuntimeException when it is in use
     */
    public OpsServer(String address, int port, PrometheusMeterRegistry registry, Views views) {
        this.server = HttpServer.create()
                .host(address)
                .port(port)
                .route(routes -> routes.get("/health/live", (request, response) -> health(response, views.life()))
                        .get("/health/ready", (request, response) -> health(response, views.readiness()))
                        .get("/status", (request, response) -> json(response, 200, views.status()))
                        .get("/metrics", (request, response) -> metrics(response, registry)))
                .bindNow(TIMEOUT);
    }

    private static Publisher<Void> health(HttpServerResponse response, Supplier<List<String>> faults) {
        return Mono.fromCallable(faults::get)
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(reasons -> Mono.from(json(
                        response,
                        reasons.isEmpty()
                                ? HttpResponseStatus.OK.code()
                                : HttpResponseStatus.SERVICE_UNAVAILABLE.code(),
                        () -> Map.of("well", reasons.isEmpty(), "reasons", reasons))));
    }

    private static Publisher<Void> json(HttpServerResponse response, int status, Supplier<Map<String, Object>> body) {
        return response.status(status)
                .header("Content-Type", "application/json")
                .sendString(Mono.fromCallable(() -> text(body.get())).subscribeOn(Schedulers.boundedElastic()));
    }

    private static String text(Map<String, Object> body) {
        try {
            return JSON.writeValueAsString(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a status that is no JSON", e);
        }
    }

    private static Publisher<Void> metrics(HttpServerResponse response, PrometheusMeterRegistry registry) {
        return response.header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
                .sendString(Mono.fromCallable(() -> registry.scrape()).subscribeOn(Schedulers.boundedElastic()));
    }

    /** The port that was opened. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.disposeNow(TIMEOUT);
    }
}
