package io.sluice.relay.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.kafka.KafkaConnectivity;
import io.sluice.relay.metrics.HealthMeters;
import io.sluice.relay.streams.AvroFormat;
import io.sluice.relay.streams.LifecycleStreams;
import io.sluice.relay.streams.ValueFormat;
import io.sluice.relay.topic.Rights;
import io.sluice.relay.topic.TopicAdmin;
import io.sluice.relay.topic.Topics;
import io.sluice.relay.topic.TransactionSupport;
import java.time.Duration;
import java.util.Set;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/** Creates the streams from a configuration, for a relay and for a replica that only runs streams. */
public final class StreamsFactory {
    private StreamsFactory() {}

    /**
     * Streams that were not started.
     *
     * @param registry has the counters of the streams
     */
    public static LifecycleStreams streams(
            KafkaAccess kafka,
            RelayConfig.Kafka names,
            RelayConfig.Streams streams,
            Duration drainTimeout,
            MeterRegistry registry) {
        var advertised = streams.advertised().isEmpty() ? null : HostInfo.buildFromEndpoint(streams.advertised());
        return new LifecycleStreams(
                kafka,
                new Topics(names.prefix()),
                new LifecycleStreams.Settings(
                        streams.state(),
                        streams.threads(),
                        streams.standbys(),
                        names.provisioning().replicas(),
                        names.provisioning().minInSync(),
                        streams.window(),
                        streams.stuckAfter(),
                        streams.retention(),
                        advertised,
                        form(streams.avro())),
                drainTimeout,
                new LifecycleStreams.Notices(
                        HealthMeters.stuck(registry)::increment,
                        HealthMeters.removed(registry)::increment,
                        HealthMeters.jumps(registry)::increment));
    }

    private static ValueFormat form(RelayConfig.@Nullable Avro avro) {
        return avro == null ? ValueFormat.JSON : AvroFormat.by(avro.serializer(), avro.properties());
    }

    /**
     * Makes missing topics, or requires them, as the configuration says.
     *
     * @throws io.sluice.program.PrerequisiteException when Kafka doesn't answer, or topics are missing
     */
    public static void ensureTopics(KafkaAccess kafka, RelayConfig.Kafka names) {
        var provisioning = names.provisioning();
        try (var admin = kafka.admin()) {
            var topics = new Topics(names.prefix());
            new KafkaConnectivity(kafka).checkAnswer(admin);
            TransactionSupport.require(admin, kafka.bootstrapServers(), topics, names.transactionVersion());
            Rights.require(admin, topics, Set.of(Rights.Use.STREAMS));
            TopicAdmin.log(new TopicAdmin(admin, kafka, topics)
                    .ensureStreamsTopics(provisioning.rules(provisioning.atStart())));
        }
    }
}
