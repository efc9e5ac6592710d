package io.sluice.relay;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.program.PrerequisiteException;
import io.sluice.program.ProcessMeters;
import io.sluice.program.http.Answer;
import io.sluice.program.http.Endpoint;
import io.sluice.program.http.OpsServer;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.kafka.KafkaConnectivity;
import io.sluice.relay.loop.Shutdown;
import io.sluice.relay.loop.StartRetry;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.metrics.HealthMeters;
import io.sluice.relay.runtime.OpsRoutes;
import io.sluice.relay.runtime.StreamsFactory;
import io.sluice.relay.runtime.StreamsHealth;
import io.sluice.relay.streams.QueryRoutes;
import io.sluice.relay.topic.Topics;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A replica that reads the history topic and touches no store. Started and closed by one thread. */
public final class StreamsOnlyReplica implements AutoCloseable {
    private final RelayConfig.StreamsOnly config;
    private final KafkaAccess kafka;
    private final StreamsHealth streams;
    private final OpsServer server;
    private final ProcessMeters process;
    private final StopRequest stop = new StopRequest();

    /**
     * Connects nowhere yet.
     *
     * @throws RelayStartException when Kafka's clients can't be made of the settings
     */
    public StreamsOnlyReplica(RelayConfig.StreamsOnly config) {
        this.config = config;
        this.kafka = config.kafka().access();
        try {
            new KafkaConnectivity(kafka).checkSettings();
        } catch (PrerequisiteException e) {
            throw RelayStartException.of(e);
        }
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var own = StreamsFactory.streams(kafka, config.kafka(), config.streams(), config.drainTimeout(), registry);
        this.streams = StreamsHealth.of(
                own, kafka, new Topics(config.kafka().prefix()), InstantSource.system(), config.drainTimeout());
        HealthMeters.registerHealth(
                registry, () -> true, () -> streams.problem().isEmpty());
        streams.register(registry);
        var endpoints = new ArrayList<Endpoint>(new QueryRoutes(own.queries()).endpoints());
        endpoints.add(Endpoint.probe("/health/live", call -> Answer.json(200, Map.of("state", own.state()))));
        endpoints.add(Endpoint.probe(
                "/health/ready",
                call -> streams.problem()
                        .map(why -> Answer.json(503, Map.of("state", own.state(), "reasons", List.of(why))))
                        .orElseGet(() -> Answer.json(200, Map.of("state", own.state())))));
        endpoints.add(Endpoint.probe("/metrics", call -> OpsRoutes.metrics(registry)));
        this.server = new OpsServer(config.http(), endpoints);
        this.process = new ProcessMeters(registry);
    }

    /**
     * Checks, and begins to work; tries again while Kafka can't be reached, for as long as the configuration says.
     *
     * @throws RelayStartException when Kafka can't be reached, or topics are missing; nothing is left running
     */
    public void start() {
        try {
            server.start();
            new StartRetry(config.startTimeout(), stop, reason -> {}).run(() -> {
                StreamsFactory.ensureTopics(kafka, config.kafka());
                return true;
            });
            streams.start();
        } catch (PrerequisiteException e) {
            close();
            throw RelayStartException.of(e);
        }
    }

    int port() {
        return server.port();
    }

    @Override
    public void close() {
        stop.request();
        Shutdown.quietly(server, streams, process);
    }
}
