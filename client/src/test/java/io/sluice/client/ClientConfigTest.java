package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.lifecycle.ReaderConfig;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClientConfigTest {
    private static final ClientConfig CONFIG = ClientConfig.of("broker:9092", "orders");
    private static final ReaderConfig READER = ReaderConfig.ofGroup("broker:9092", "orders", "billing");

    static Stream<Function<Duration, ?>> times() {
        return Stream.of(
                CONFIG::withReplyTimeout,
                CONFIG::withStartTimeout,
                CONFIG::withCloseTimeout,
                CommandOptions.DEFAULT::withReplyTimeout,
                READER::withStartTimeout,
                READER::withCloseTimeout);
    }

    @ParameterizedTest
    @MethodSource("times")
    void times_are_what_kafka_and_a_wait_can_be_given(Function<Duration, ?> with) {
        assertThat(with.apply(Duration.ofMillis(1))).isNotNull();
        assertThat(with.apply(Duration.ofDays(24))).isNotNull();
        // Less than a millisecond would be no limit at all where a thread is waited for.
        for (Duration none :
                new Duration[] {Duration.ofNanos(1), Duration.ofDays(25), ChronoUnit.FOREVER.getDuration()}) {
            assertThatThrownBy(() -> with.apply(none))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Timeout must be 1 ms to 24 days, was ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"partitioner.class", "partitioner.ignore.keys", "transactional.id"})
    void settings_that_would_take_commands_out_of_order_or_keep_them_from_being_sent_are_refused(String setting) {
        assertThatThrownBy(() -> CONFIG.withKafkaSettings(Map.of(setting, "canary")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(setting)
                .hasMessageNotContaining("canary");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders.replies", "orders.replies.shop"})
    void by_default_a_relay_replies_to_the_reply_topics_of_its_prefix(String topic) {
        assertThat(CONFIG.withReplyTopic(topic).replyTopicFault()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop.replies", "orders.answers", "orders.repliesOfShop"})
    void other_reply_topics_need_a_relay_that_allows_them(String topic) {
        var config = CONFIG.withReplyTopic(topic);

        assertThat(config.replyTopicFault())
                .contains(topic, "orders.replies, orders.replies.*", "SLUICE_REPLY_TOPICS", "withAllowedReplyTopics");
        assertThat(config.withAllowedReplyTopics(List.of(topic)).replyTopicFault())
                .isNull();
        assertThat(config.withAllowedReplyTopics(List.of("*")).replyTopicFault())
                .isNull();
        assertThat(config.withAllowedReplyTopics(List.of(topic + ".*")).replyTopicFault())
                .contains("only to " + topic + ".*");
    }

    @Test
    void after_a_timeout_the_setting_and_the_dead_letters_are_named() {
        assertThat(CONFIG.withReplyTopic("orders.replies").whereRefusalsAre())
                .contains("SLUICE_REPLY_TOPICS", "orders.dead-letters");
    }
}
