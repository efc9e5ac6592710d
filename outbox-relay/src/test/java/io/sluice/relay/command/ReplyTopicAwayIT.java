package io.sluice.relay.command;

import static io.sluice.relay.command.CommandTopics.header;
import static io.sluice.relay.command.CommandTopics.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.deadletter.DeadLetter;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A topic that a sender chose for its replies keeps no other commands from being taken, and no relay from committing.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReplyTopicAwayIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MemoryInbox inbox = new MemoryInbox();
    /** Stands still, so that nothing that is known of a topic is asked again. */
    private final InstantSource clock = InstantSource.fixed(Instant.now().plusSeconds(60));

    private KafkaAccess kafka = new KafkaAccess("", Map.of());
    private Topics topics = new Topics("");
    private CommandTopics commands = new CommandTopics(kafka, topics);
    private @Nullable CommandIntake member;

    @BeforeEach
    void topics() throws Exception {
        kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        topics = new Topics(cluster.prefix());
        commands = new CommandTopics(kafka, topics);
        commands.make(new NewTopic(topics.commands(), 2, (short) 1), new NewTopic(topics.deadLetters(), 1, (short) 1));
    }

    @AfterEach
    void leave() {
        if (member != null) {
            member.close();
        }
    }

    private CommandIntake member(List<String> replyTopics) {
        var fresh = new TestIntakes(kafka, topics, replyTopics, clock)
                .intake(inbox, PipelineControl.none(Pipeline.COMMANDS));
        member = fresh;
        fresh.start();
        return fresh;
    }

    @Test
    void a_reply_topic_that_takes_nothing_any_more_costs_its_replies_alone() throws Exception {
        var away = topics.prefix() + ".replies.away";
        var good = topics.prefix() + ".replies.good";
        commands.make(away, Map.of());
        commands.make(good, Map.of());
        var member = member(List.of(topics.prefix() + ".replies", topics.prefix() + ".replies.*"));
        commands.send(List.of(with(commands.cancel(0, "a", "c-1"), "reply-topic", away)));
        await().atMost(PATIENCE).until(() -> member.status().queued() == 1);
        try (var admin = kafka.admin()) {
            admin.deleteTopics(List.of(away)).all().get();
            await().until(() -> !admin.listTopics().names().get().contains(away));
        }

        commands.send(List.of(
                with(commands.cancel(0, "a", "c-2"), "reply-topic", away),
                with(commands.cancel(0, "a", "c-3"), "reply-topic", good),
                commands.cancel(1, "b", "c-4")));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(member.status().queued())
                        .as("commands whose offsets are committed")
                        .isEqualTo(4));
        commands.send(List.of(with(commands.cancel(0, "a", "c-5"), "reply-topic", away)));
        await().atMost(PATIENCE).until(() -> member.status().queued() == 5);

        assertThat(inbox.commandIds()).containsExactlyInAnyOrder("c-1", "c-2", "c-3", "c-4", "c-5");
        assertThat(member.status().unanswered()).isEqualTo(2);
        assertThat(member.status().problem()).isNull();
        assertThat(commands.committed(good))
                .extracting(reply -> header(reply, "command-id"))
                .containsExactly("c-3");
        assertThat(commands.deadLetters()).isEmpty();
    }

    @Test
    void senders_choose_among_the_topics_that_operators_allow() throws Exception {
        var allowed = topics.prefix() + ".replies.team-a";
        var other = topics.prefix() + ".replies.team-b";
        commands.make(allowed, Map.of());
        commands.make(other, Map.of());
        var member = member(List.of(topics.prefix() + ".replies.team-a*"));

        commands.send(List.of(
                with(commands.cancel(0, "a", "c-1"), "reply-topic", other),
                with(commands.cancel(0, "a", "c-2"), "reply-topic", allowed)));
        await().atMost(PATIENCE)
                .until(() -> member.status().queued() + member.status().refused() == 2);

        assertThat(commands.committed(allowed))
                .extracting(reply -> header(reply, "command-id"))
                .containsExactly("c-2");
        assertThat(commands.deadLetters())
                .singleElement()
                .satisfies(
                        letter -> assertThat(header(letter, DeadLetter.REASON)).contains("SLUICE_REPLY_TOPICS"));
    }
}
