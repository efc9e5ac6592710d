package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OwnClientSettingsTest {
    private static KafkaWorkFeedBuilder feed(Map<String, ?> properties) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("bootstrap.servers", "127.0.0.1:1");
        return KafkaWorkFeed.builder().clientProperties(all);
    }

    static Stream<String> own() {
        return KafkaWorkFeed.ownClientSettings().stream();
    }

    @ParameterizedTest
    @MethodSource("own")
    void what_the_feed_sets_itself_is_refused_by_name_without_its_value(String name) {
        KafkaWorkFeedBuilder feed = feed(Map.of(name, "the value"));

        assertThatThrownBy(feed::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("clientProperties")
                .hasMessageContaining(name)
                .hasMessageNotContaining("the value");
        assertThatThrownBy(feed::check)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
    }

    @Test
    void all_that_are_wrong_are_named_together_each_with_what_is_instead() {
        assertThatThrownBy(() ->
                        feed(Map.of("max.poll.records", 1, "group.id", "mine")).build())
                .hasMessageContaining("group.id (groups are named by topicPrefix")
                .hasMessageContaining("max.poll.records (use activityReaders");
    }

    /** All other settings that Kafka's clients have, as they are by default. */
    private static Map<String, Object> allowed() {
        Map<String, ConfigDef.ConfigKey> keys =
                new HashMap<>(ConsumerConfig.configDef().configKeys());
        keys.putAll(AdminClientConfig.configDef().configKeys());
        Map<String, Object> allowed = new TreeMap<>();
        keys.values().stream()
                .filter(key -> !key.internalConfig && key.hasDefault() && key.defaultValue != null)
                .filter(key -> !KafkaWorkFeed.ownClientSettings().contains(key.name))
                .forEach(key -> allowed.put(key.name, key.defaultValue));
        return allowed;
    }

    @Test
    void none_of_the_feeds_clients_refuses_a_setting_that_is_allowed() {
        Map<String, Object> allowed = allowed();
        assertThat(allowed)
                .as("such as a timeout, a name, and security")
                .containsKeys("reconnect.backoff.ms", "client.id", "security.protocol");
        FeedConfig config = feed(allowed).config();

        FeedClients.groupConsumer(config, "group").close();
        FeedClients.assignedConsumer(config, "pulse").close();
        FeedClients.shareConsumer(config, "group", 1).close(Duration.ZERO);
        Admin.create(FeedClients.adminProperties(config, "topics")).close();
    }
}
