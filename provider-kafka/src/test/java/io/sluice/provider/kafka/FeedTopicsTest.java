package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.announcement.WorkStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FeedTopicsTest {
    private static final String STORE = "d71d4af35628d212";

    private final FeedTopics topics = new FeedTopics("orders");

    @Test
    void topics_and_groups_begin_with_the_prefix() {
        assertThat(topics.all())
                .containsExactlyInAnyOrder(
                        "orders.work.turns", "orders.work.activities", "orders.work.pulse", "orders.work.help");
        assertThat(topics.group(WorkQueue.TURNS, TestBroker.STORE, "")).isEqualTo("orders-work-turns-" + STORE);
        assertThat(topics.helpGroup(TestBroker.STORE, "x"))
                .isEqualTo("orders-work-help-" + STORE + "-2d711642b726b044");
        assertThat(topics.group(WorkQueue.ACTIVITIES, TestBroker.STORE, "x"))
                .as("16 digits of SHA-256 each")
                .isEqualTo("orders-work-activities-" + STORE + "-2d711642b726b044");
    }

    @Test
    void another_container_has_other_groups_and_another_endpoint_of_the_account_the_same() {
        String group = topics.group(WorkQueue.TURNS, TestBroker.STORE, "");

        assertThat(topics.group(WorkQueue.TURNS, new WorkStore("account-west", "sluice", "orders", "rid-1"), ""))
                .isEqualTo(group);
        assertThat(topics.group(WorkQueue.TURNS, new WorkStore("account", "sluice", "orders", "rid-2"), ""))
                .isNotEqualTo(group);
        assertThat(topics.group(WorkQueue.TURNS, new WorkStore("account", "sluic", "eorders", "rid-1"), ""))
                .isNotEqualTo(group);
    }

    @Test
    void an_instance_is_owned_by_the_partition_that_the_producer_chooses() {
        OwnPartitions own = new OwnPartitions();
        assertThat(own.isOwn("order-1")).isFalse();
        for (int instance = 0; instance < 100; instance++) {
            String id = "order-" + instance;
            int partition = BuiltInPartitioner.partitionForKey(id.getBytes(StandardCharsets.UTF_8), 12);

            own.set(List.of(new TopicPartition("t", partition)), 12);
            assertThat(own.isOwn(id)).isTrue();
            own.set(List.of(new TopicPartition("t", (partition + 1) % 12)), 12);
            assertThat(own.isOwn(id)).isFalse();
        }
    }

    @Test
    void wrong_settings_are_refused() {
        assertThatThrownBy(KafkaWorkFeed.builder()::build).hasMessageContaining("bootstrap.servers");
        assertThatThrownBy(feed().topicPrefix("a b")::build).hasMessageEndingWith("was a b");
        assertThatThrownBy(feed().unhandledTurns(0)::build).hasMessageEndingWith("was 0");
        assertThatThrownBy(feed().activityReaders(65)::build).hasMessageEndingWith("was 65");
        assertThatThrownBy(feed().pulseTimeout(Duration.ZERO)::build).hasMessageEndingWith("was PT0S");
        assertThatThrownBy(feed().ownWorkAfter(Duration.ofMillis(-1))::build).hasMessageEndingWith("was PT-0.001S");
        assertThatThrownBy(feed().completionsWithin(Duration.ofSeconds(61))::build)
                .hasMessage("completionsWithin must be from 0 to a minute, was PT1M1S");
        feed().build().close();
    }

    private static KafkaWorkFeedBuilder feed() {
        return KafkaWorkFeed.builder().clientProperties(Map.of("bootstrap.servers", "x:1"));
    }
}
