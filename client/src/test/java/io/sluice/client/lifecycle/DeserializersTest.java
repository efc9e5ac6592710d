package io.sluice.client.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DeserializersTest {
    static Stream<Deserializer<?>> all() {
        return Stream.of(
                new LifecycleEventDeserializer(),
                new InstanceStatusDeserializer(),
                new OrchestrationStatisticsDeserializer(),
                new StuckInstanceDeserializer());
    }

    @ParameterizedTest
    @MethodSource("all")
    void a_tombstone_is_null_and_nonsense_is_no_record(Deserializer<?> deserializer) {
        assertThat(deserializer.deserialize("orders.x", (byte[]) null)).isNull();
        assertThatThrownBy(() -> deserializer.deserialize("orders.x", "{\"secret\":".getBytes(UTF_8)))
                .isInstanceOf(SerializationException.class)
                .hasMessageMatching("no \\w+: line 1, column \\d+, in topic orders.x");
    }

    @ParameterizedTest
    @MethodSource("all")
    void kafka_makes_it_by_its_name(Deserializer<?> deserializer) {
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1",
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                        "org.apache.kafka.common.serialization.StringDeserializer",
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                        deserializer.getClass().getName());
        try (var consumer = new KafkaConsumer<String, Object>(settings)) {
            assertThat(consumer.assignment()).isEmpty();
        }
    }

    @Test
    void a_state_of_a_newer_relay_is_not_known() {
        var text = "{'id':'o-1','instance':'o-1','state':'SUSPENDED','execution':1,'correlation':'o-1',"
                + "'updatedAt':'2023-11-14T22:13:20Z','activities':{'started':0,'completed':0,'failed':0},"
                + "'subOrchestrations':{'started':0,'completed':0,'failed':0}}";

        assertThat(new InstanceStatusDeserializer()
                        .deserialize("orders.status", text.replace('\'', '"').getBytes(UTF_8)))
                .isNotNull()
                .returns(InstanceStatus.State.UNKNOWN, InstanceStatus::state);
    }

    @Test
    void an_event_is_read() {
        var event = new LifecycleEvent(
                "i",
                "o-1",
                1,
                1,
                Instant.EPOCH,
                "Order",
                null,
                null,
                "o-1",
                new Fact.Unknown("teleported", "{\"to\":1}"));

        assertThat(new LifecycleEventDeserializer().deserialize("orders.lifecycle", LifecycleJson.encode(event)))
                .isEqualTo(event);
    }
}
