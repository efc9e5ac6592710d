package io.sluice.relay.reply;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.topic.Topics;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReplyTopicsTest {
    private final ReplyTopics topics = new ReplyTopics(
            topic -> null, new Topics("orders")::isOwn, new AllowedReplyTopics(List.of("*")), InstantSource.system());

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
                        ".commands.parked",
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
    void a_topic_that_is_not_allowed_is_refused_with_the_setting_and_the_first_names_that_are() {
        var names = IntStream.rangeClosed(1, 12).mapToObj(i -> "team-" + i).toList();
        var few = new ReplyTopics(topic -> null, topic -> false, new AllowedReplyTopics(names), InstantSource.system());

        assertThat(few.fault("team-12")).isNull();
        assertThat(few.fault("shop"))
                .isEqualTo("reply-topic shop is none that the relay may reply to (SLUICE_REPLY_TOPICS: team-1, team-2,"
                        + " team-3, team-4, team-5, team-6, team-7, team-8, team-9, team-10 and 2 more); name one of"
                        + " these, or have the relay's operator add it, and send the command under a new id");
    }

    @Test
    void a_topic_that_took_no_reply_gets_none_for_five_seconds_and_then_for_longer_each_time() {
        var now = new AtomicLong(1_000);
        var silent = new ReplyTopics(
                topic -> null,
                topic -> false,
                new AllowedReplyTopics(List.of("*")),
                () -> Instant.ofEpochMilli(now.get()));

        for (int restMillis : List.of(5_000, 10_000, 20_000, 30_000, 30_000)) {
            silent.giveUp("shop");
            now.addAndGet(restMillis / 2);
            silent.giveUp("shop");
            now.addAndGet(restMillis / 2 - 1);
            assertThat(silent.isGivenUp("shop")).isTrue();
            assertThat(silent.isGivenUp("other")).isFalse();
            now.addAndGet(1);
            assertThat(silent.isGivenUp("shop")).as("tried again").isFalse();
        }
        silent.noteAccepted("shop");
        silent.giveUp("shop");
        now.addAndGet(5_000);
        assertThat(silent.isGivenUp("shop"))
                .as("after a reply was accepted it begins anew")
                .isFalse();
    }

    @Test
    void other_names_get_replies() {
        for (var topic : List.of("orders.replies", "orders.replies.history-team", "shop", "positions")) {
            assertThat(topics.fault(topic)).isNull();
        }
    }
}
