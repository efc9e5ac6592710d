package io.sluice.relay.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.topic.Topics;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReplyTopicsTest {
    private final ReplyTopics topics = new ReplyTopics(
            topic -> null, new Topics("orders"), new AllowedReplyTopics(List.of("*")), InstantSource.system());

    @Test
    void no_topic_that_is_named_as_one_of_a_relay_gets_replies_whatever_is_allowed() {
        for (var suffix : TopicCatalogue.SUFFIXES) {
            for (var prefix : List.of("orders.eu", "orders.replies", "billing")) {
                assertThat(topics.fault(prefix + suffix))
                        .as("a reply would be a record of another relay's topic")
                        .isEqualTo("reply-topic " + prefix + suffix + " ends in " + suffix
                                + ", as a topic of some relay does; name another one");
            }
        }
    }

    @Test
    void the_suffixes_are_those_of_all_topics_of_a_relay() {
        var names = new Topics("orders");

        assertThat(TopicCatalogue.SUFFIXES)
                .contains(
                        ".history",
                        ".positions",
                        ".commands",
                        ".dead-letters",
                        ".work.turns",
                        ".work.activities",
                        ".work.help",
                        ".work.pulse",
                        ".lifecycle",
                        ".status",
                        ".statistics",
                        ".stuck",
                        ".replay")
                .containsAll(names.keptByStreams().stream()
                        .map(topic -> topic.substring("orders".length()))
                        .toList());
    }

    @Test
    void other_names_get_replies() {
        for (var topic : List.of("orders.replies", "orders.replies.history-team", "shop", "positions")) {
            assertThat(topics.fault(topic)).isNull();
        }
    }
}
