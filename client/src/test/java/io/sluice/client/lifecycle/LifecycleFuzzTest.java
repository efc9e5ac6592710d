package io.sluice.client.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.fuzz.Fuzz;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records that anybody may have written to these topics: each is read, or refused by what Kafka's consumers know. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LifecycleFuzzTest {
    private static final Instant TIME = Instant.parse("2023-11-14T22:13:20.123Z");
    private static final Failure FAILURE = new Failure("application", "no stock", true);

    /** A topic's deserializer and values. */
    private record Topic(Deserializer<?> deserializer, List<Object> values) {
        @Override
        public String toString() {
            return deserializer.getClass().getSimpleName();
        }
    }

    static Stream<Topic> topics() {
        var facts = Stream.of(
                new Fact.Created(),
                new Fact.Completed("{}", 17L),
                new Fact.Failed(FAILURE, null),
                new Fact.SubOrchestrationFailed(null, FAILURE, null),
                new Fact.ActivityFailed("Charge", 2L, FAILURE, 41L),
                new Fact.TimerCreated(TIME),
                new Fact.Unknown("teleported", "{\"to\":1}"));
        return Stream.of(
                new Topic(
                        new LifecycleEventDeserializer(),
                        facts.<Object>map(LifecycleFuzzTest::event).toList()),
                new Topic(
                        new InstanceStatusDeserializer(),
                        List.of(new InstanceStatus(
                                "order-1:1:4:5",
                                "order-1",
                                "Order",
                                "1.0.0",
                                InstanceStatus.State.FAILED,
                                2,
                                new Parent("cart-7", 2L, 5L),
                                "cart-7",
                                "packing",
                                "{}",
                                FAILURE,
                                TIME,
                                TIME,
                                new InstanceStatus.Counts(1, 2, 3),
                                InstanceStatus.Counts.NONE))),
                new Topic(
                        new OrchestrationStatisticsDeserializer(),
                        List.of(new OrchestrationStatistics(
                                "Order",
                                TIME,
                                TIME,
                                1,
                                2,
                                3,
                                4,
                                5,
                                new OrchestrationStatistics.Quantiles(3, 2.5, 2, 3, 4, 5)))),
                new Topic(
                        new StuckInstanceDeserializer(),
                        List.of(new StuckInstance(
                                "order-1", "Order", "1.0.0", 2, TIME, "TimerCreated", Duration.ofHours(1)))));
    }

    private static LifecycleEvent event(Fact fact) {
        return new LifecycleEvent(
                "order-1:1:4:5", "order-1", 1, 4, TIME, "Order", "1.0.0", new Parent("cart-7", 2L, 5L), "cart-7", fact);
    }

    @ParameterizedTest
    @MethodSource("topics")
    void a_damaged_record_is_refused_or_read_consistently(Topic topic) {
        var examples = topic.values().stream()
                .map(value -> new String(LifecycleJson.encode(value), UTF_8))
                .toList();

        Fuzz.of(topic.toString(), examples)
                .refusedBy(SerializationException.class)
                .rewritten(text -> {
                    var value = Objects.requireNonNull(topic.deserializer().deserialize("t", text.getBytes(UTF_8)));
                    assertThat(value.toString()).isNotEmpty();
                    return new String(LifecycleJson.encode(value), UTF_8);
                });
    }
}
