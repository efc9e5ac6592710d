package io.sluice.relay.command;

import static io.sluice.relay.command.CommandTopics.header;
import static io.sluice.relay.command.CommandTopics.with;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.control.Pipeline;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.deadletter.DeadLetter;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.EmbeddedKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * Replies and dead letters that Kafka refuses permanently, on a broker where nobody may do to a topic what its ACLs
 * don't allow once it has any.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RefusedRecordsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String US = "User:ANONYMOUS";
    private static final int LARGE = 5_000_000;

    @SuppressWarnings("NullAway.Init") // before all tests
    private static EmbeddedKafka broker;

    private final MemoryInbox inbox = new MemoryInbox();
    private final KafkaAccess kafka = new KafkaAccess(broker.bootstrapServers(), Map.of());
    private final Topics topics = new Topics("refused-" + UUID.randomUUID());
    private final CommandTopics commands = new CommandTopics(kafka, topics);
    private final String replies = topics.prefix() + ".replies";
    private @Nullable CommandIntake member;

    @BeforeAll
    static void start() {
        broker = EmbeddedKafka.start(Map.of(
                "authorizer.class.name",
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "allow.everyone.if.no.acl.found",
                "true"));
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @BeforeEach
    void topics() throws Exception {
        commands.make(
                new NewTopic(topics.commands(), 1, (short) 1).configs(Map.of("max.message.bytes", "10000000")),
                new NewTopic(topics.deadLetters(), 1, (short) 1).configs(Map.of("max.message.bytes", "4194304")),
                new NewTopic(replies, 1, (short) 1));
    }

    @AfterEach
    void leave() {
        if (member != null) {
            member.close();
        }
    }

    private CommandIntake member() {
        var fresh = new TestIntakes(kafka, topics).intake(inbox, PipelineControl.none(Pipeline.COMMANDS));
        member = fresh;
        fresh.start();
        return fresh;
    }

    /** Allows nothing else on a topic from now on. */
    private void allowOnly(String topic, AclOperation operation, String user) throws Exception {
        var right = new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
                new AccessControlEntry(user, "*", operation, AclPermissionType.ALLOW));
        try (var admin = kafka.admin()) {
            admin.createAcls(List.of(right)).all().get();
            await().until(() ->
                    admin.describeAcls(right.toFilter()).values().get().size() == 1);
        }
    }

    private void allowAll(String topic) throws Exception {
        try (var admin = kafka.admin()) {
            admin.deleteAcls(List.of(new AclBindingFilter(
                            new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL).toFilter(),
                            AccessControlEntryFilter.ANY)))
                    .all()
                    .get();
        }
    }

    private static void awaitSettled(CommandIntake member, int queued, int refused) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(List.of(
                                member.status().queued(), member.status().refused()))
                        .as("queued, refused")
                        .containsExactly((long) queued, (long) refused));
    }

    @Test
    void a_reply_topic_that_is_hidden_or_closed_to_the_relay_makes_a_dead_letter_and_the_rest_goes_on()
            throws Exception {
        var hidden = topics.prefix() + ".replies.hidden";
        var closed = topics.prefix() + ".replies.closed";
        commands.make(hidden, Map.of());
        commands.make(closed, Map.of());
        allowOnly(hidden, AclOperation.ALL, "User:somebody");
        allowOnly(closed, AclOperation.DESCRIBE, US);
        commands.send(List.of(
                with(commands.cancel("a", "c-1"), "reply-topic", hidden),
                with(commands.cancel("a", "c-2"), "reply-topic", closed),
                with(commands.cancel("a", "c-3"), "reply-topic", replies)));

        awaitSettled(member(), 1, 2);

        assertThat(inbox.commandIds()).containsExactly("c-3");
        assertThat(commands.deadLetters())
                .extracting(letter -> header(letter, DeadLetter.REASON))
                .satisfiesExactly(
                        reason -> assertThat(reason).contains(hidden).contains("hidden from the relay"),
                        reason -> assertThat(reason).contains(closed).contains("may not be written to"));
        assertThat(commands.committed(replies)).hasSize(1);
    }

    @Test
    void a_right_that_is_taken_back_while_commands_are_settled_costs_their_replies_alone() throws Exception {
        var closing = topics.prefix() + ".replies.closing";
        commands.make(closing, Map.of());
        inbox.throttle(Integer.MAX_VALUE);
        commands.send(List.of(
                with(commands.cancel("a", "c-1"), "reply-topic", closing),
                with(commands.cancel("b", "c-2"), "reply-topic", replies),
                with(commands.message("a", "c-3", "not json"), "reply-topic", closing)));
        var member = member();
        await().atMost(PATIENCE).until(() -> inbox.asked() > 2);
        allowOnly(closing, AclOperation.DESCRIBE, US);
        inbox.throttle(0);

        awaitSettled(member, 2, 1);
        commands.send(List.of(
                with(commands.cancel("a", "c-4"), "reply-topic", closing),
                with(commands.cancel("a", "c-5"), "reply-topic", replies)));
        awaitSettled(member, 3, 2);

        assertThat(inbox.commandIds()).containsExactlyInAnyOrder("c-1", "c-2", "c-5");
        assertThat(commands.deadLetters())
                .extracting(letter -> header(letter, "sluice-command-id"))
                .as("once each, though the batch was committed more than once")
                .containsExactly("c-3", "c-4");
        assertThat(commands.committed(replies))
                .extracting(reply -> header(reply, "command-id"))
                .containsExactly("c-2", "c-5");
        allowAll(closing);
        await().ignoreExceptions() // until the broker has heard of it
                .untilAsserted(() -> assertThat(commands.committed(closing)).isEmpty());
    }

    @Test
    void a_reply_that_its_topic_finds_too_large_is_left_out() throws Exception {
        var tight = topics.prefix() + ".replies.tight";
        commands.make(tight, Map.of("max.message.bytes", "400"));
        commands.send(List.of(
                with(commands.cancel("a", "c-" + "1".repeat(1_000)), "reply-topic", tight),
                with(commands.cancel("a", "c-2"), "reply-topic", tight),
                commands.cancel("a", "c-3")));

        awaitSettled(member(), 3, 0);

        assertThat(commands.committed(tight))
                .extracting(reply -> header(reply, "command-id"))
                .containsExactly("c-2");
    }

    @Test
    void a_command_larger_than_any_dead_letter_leaves_one_that_is_cut_and_says_so() throws Exception {
        var giant = "x".repeat(LARGE);
        commands.send(List.of(
                commands.message("a", "value", giant),
                commands.message(giant, "key", "not json"),
                with(commands.message("a", "headers", "not json"), "own", giant),
                commands.cancel("a", "good")));

        awaitSettled(member(), 1, 3);

        assertThat(commands.deadLetters())
                .satisfiesExactly(
                        letter -> {
                            assertThat(header(letter, "sluice-value-bytes")).isEqualTo(String.valueOf(LARGE));
                            assertThat(new String(letter.value(), UTF_8))
                                    .as("as much as there is room for")
                                    .hasSizeGreaterThan(4_000_000)
                                    .startsWith("xxx");
                            assertThat(letter.key()).isEqualTo("a".getBytes(UTF_8));
                            assertThat(header(letter, "ce_id")).isEqualTo("value");
                        },
                        letter -> {
                            assertThat(header(letter, "sluice-key-bytes")).isEqualTo(String.valueOf(LARGE));
                            assertThat(letter.key()).isNull();
                            assertThat(new String(letter.value(), UTF_8)).isEqualTo("not json");
                        },
                        letter -> {
                            assertThat(letter.headers().lastHeader("sluice-headers-bytes"))
                                    .isNotNull();
                            assertThat(letter.headers().lastHeader("own")).isNull();
                            assertThat(header(letter, "sluice-command-id")).isEqualTo("headers");
                            assertThat(new String(letter.value(), UTF_8)).isEqualTo("not json");
                        });
    }

    @Test
    void a_dead_letter_topic_that_takes_less_than_it_should_gets_less() throws Exception {
        try (var admin = kafka.admin()) {
            admin.deleteTopics(List.of(topics.deadLetters())).all().get();
            await().until(() -> !admin.listTopics().names().get().contains(topics.deadLetters()));
        }
        commands.make(topics.deadLetters(), Map.of("max.message.bytes", "1048588"));
        commands.send(List.of(
                with(commands.message("a", "large", "x".repeat(2_000_000)), "reply-topic", replies),
                with(commands.cancel("a", "good"), "reply-topic", replies)));

        awaitSettled(member(), 1, 1);

        assertThat(commands.deadLetters())
                .singleElement()
                .satisfies(letter ->
                        assertThat(header(letter, "sluice-value-bytes")).isEqualTo("2000000"));
        assertThat(commands.committed(replies)).hasSize(2);
    }
}
