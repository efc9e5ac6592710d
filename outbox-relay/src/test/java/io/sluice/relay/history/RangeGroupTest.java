package io.sluice.relay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.relay.control.Heartbeats;
import io.sluice.relay.control.Pauses;
import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.kafka.KafkaAccess;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RangeGroupTest {
    @Test
    void a_group_that_Kafka_refuses_turns_and_says_so_until_it_is_taken_back() {
        var nanos = new AtomicLong();
        var heartbeats = new Heartbeats(nanos::get);
        var consumer = new MockConsumer<byte[], byte[]>("latest");
        var admin = new KafkaAccess("127.0.0.1:1", Map.of()).admin();
        var control = new PipelineControl(Pipeline.EVENTS, new Pauses(), heartbeats);
        try (var group = new RangeGroup(
                consumer,
                "orders.positions",
                new RangePublishers(
                        range -> {
                            throw new AssertionError("no range is its own");
                        },
                        control,
                        Duration.ofSeconds(1)),
                new GroupOwnership(admin, "orders-history", "orders.positions"),
                control)) {
            heartbeats.silence(Pipeline.EVENTS.label());
            nanos.addAndGet(Duration.ofMinutes(6).toNanos());
            consumer.setPollException(GroupAuthorizationException.forGroupId("orders-history"));

            assertThatThrownBy(group::step).isInstanceOf(GroupAuthorizationException.class);

            assertThat(group.problem()).contains("Not authorized to access group: orders-history");
            assertThat(group.isAssigned())
                    .as("nobody knows whose ranges are whose")
                    .isFalse();
            assertThat(heartbeats.silence(Pipeline.EVENTS.label())).isZero();

            group.step();
            assertThat(group.problem()).isNull();
        } finally {
            admin.close(Duration.ZERO);
        }
    }
}
