package io.sluice.relay.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * What the clients that Kafka Streams makes really get: its own defaults are 30 s a request, and two minutes a record.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StreamsTimeoutsTest {
    private static final int LONGEST_REQUEST_MILLIS = 3_000;
    private static final int LONGEST_CALL_MILLIS = 20_000;

    private final StreamsConfig config = new StreamsConfig(LifecycleStreams.properties(
            new KafkaAccess("127.0.0.1:1", Map.of()),
            new Topics("orders"),
            new LifecycleStreams.Settings(
                    Path.of("state"),
                    1,
                    0,
                    1,
                    -1,
                    Duration.ofMinutes(1),
                    Duration.ofHours(1),
                    Duration.ZERO,
                    null,
                    ValueFormat.JSON)));

    @Test
    void each_client_gives_a_silent_broker_up_within_a_takeover() {
        for (var client : Map.of(
                        "producer", config.getProducerConfigs("p"),
                        "main consumer", config.getMainConsumerConfigs("g", "c", 0),
                        "restore consumer", config.getRestoreConsumerConfigs("r"),
                        "admin", config.getAdminConfigs("a"))
                .entrySet()) {
            assertThat(number(client.getValue(), "request.timeout.ms"))
                    .as(client.getKey())
                    .isLessThanOrEqualTo(LONGEST_REQUEST_MILLIS);
            if (!client.getKey().equals("producer")) {
                assertThat(number(client.getValue(), "default.api.timeout.ms"))
                        .as(client.getKey())
                        .isLessThanOrEqualTo(LONGEST_CALL_MILLIS);
            }
        }
        var producer = config.getProducerConfigs("p");
        assertThat(number(producer, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG))
                .as("longer than Kafka takes to put another in the place of a broker")
                .isEqualTo(20_000);
        assertThat(List.of(
                        number(producer, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG),
                        number(producer, ProducerConfig.MAX_BLOCK_MS_CONFIG)))
                .as("longer than a coordinator waits for a broker that it told of a commit, 30 s, and bounded")
                .allMatch(millis -> millis > 40_000 && millis <= 60_000);
    }

    private static long number(Map<String, Object> settings, String name) {
        return settings.get(name) == null ? Long.MAX_VALUE : Long.parseLong(String.valueOf(settings.get(name)));
    }
}
