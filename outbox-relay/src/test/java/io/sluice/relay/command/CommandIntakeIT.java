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
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandIntakeIT {
    @RegisterExtension
    static final KafkaCluster cluster = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration DAY = Duration.ofDays(1);

    private final MemoryInbox inbox = new MemoryInbox();
    private final List<CommandIntake> members = new ArrayList<>();
    private KafkaAccess kafka = new KafkaAccess("", Map.of());
    private Topics topics = new Topics("");
    private CommandTopics commands = new CommandTopics(kafka, topics);

    @BeforeEach
    void topics() throws Exception {
        kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        topics = new Topics(cluster.prefix());
        commands = new CommandTopics(kafka, topics);
        commands.make(new NewTopic(topics.commands(), 2, (short) 1), new NewTopic(topics.deadLetters(), 1, (short) 1));
    }

    @AfterEach
    void closeAll() {
        members.forEach(CommandIntake::close);
    }

    private CommandIntake member(InstantSource clock) {
        var member = new TestIntakes(
                        kafka, topics, List.of(topics.prefix() + ".replies", topics.prefix() + ".replies.*"), clock)
                .intake(inbox, PipelineControl.none(Pipeline.COMMANDS));
        members.add(member);
        member.start();
        return member;
    }

    private CommandIntake member() {
        return member(InstantSource.system());
    }

    private void awaitQueued(int count) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(inbox.queued()).hasSizeGreaterThanOrEqualTo(count));
    }

    @Test
    void commands_of_an_instance_are_queued_in_log_order_and_strictly_later() throws Exception {
        var messages = new ArrayList<ProducerRecord<byte[], byte[]>>();
        IntStream.range(0, 30).forEach(i -> messages.add(commands.cancel("order-" + i % 3, "c-" + i)));
        commands.send(messages);

        member();
        awaitQueued(30);

        for (int instance = 0; instance < 3; instance++) {
            var name = "order-" + instance;
            var queue = inbox.queued().stream()
                    .filter(queued -> queued.instance().equals(name))
                    .toList();
            assertThat(queue)
                    .extracting(MemoryInbox.Queued::commandId)
                    .containsExactlyElementsOf(IntStream.iterate(instance, i -> i < 30, i -> i + 3)
                            .mapToObj(i -> "c-" + i)
                            .toList());
            assertThat(queue)
                    .extracting(MemoryInbox.Queued::enqueuedAt)
                    .as("the queue is read by this time")
                    .doesNotHaveDuplicates()
                    .isSorted();
        }
    }

    @Test
    void what_was_sent_before_the_first_start_is_taken_and_nothing_twice_after_a_restart() throws Exception {
        commands.send(List.of(commands.cancel("a", "c-1"), commands.cancel("b", "c-2")));
        var first = member();
        awaitQueued(2);
        first.close();
        commands.send(List.of(commands.cancel("a", "c-3")));

        member();
        awaitQueued(3);

        assertThat(inbox.commandIds()).containsExactlyInAnyOrder("c-1", "c-2", "c-3");
    }

    @Test
    void the_same_id_twice_is_one_command() throws Exception {
        commands.send(List.of(commands.cancel("a", "c-1"), commands.cancel("a", "c-1"), commands.cancel("a", "c-2")));

        member();
        awaitQueued(2);

        assertThat(inbox.commandIds()).containsExactly("c-1", "c-2");
    }

    @Test
    void an_answer_that_is_lost_queues_nothing_twice() throws Exception {
        inbox.loseAnswers(3);
        commands.send(List.of(commands.cancel("a", "c-1"), commands.cancel("a", "c-2")));

        var member = member();
        await().atMost(PATIENCE).until(() -> member.status().queued() == 2);

        assertThat(inbox.commandIds()).containsExactly("c-1", "c-2");
    }

    @Test
    void a_failing_store_is_waited_out() throws Exception {
        inbox.throttle(5);
        commands.send(List.of(commands.cancel("a", "c-1")));

        member();
        awaitQueued(1);

        assertThat(commands.deadLetters()).isEmpty();
    }

    @Test
    void bad_commands_become_dead_letters_and_the_rest_goes_on() throws Exception {
        commands.send(List.of(
                commands.message("a", "bad-1", "not json"),
                commands.message("a", "bad-2", "{\"type\":\"cancel\",\"reason\":\"\"}"),
                commands.cancel("a#b", "bad-3"),
                commands.message("a", "bad-4", "{\"type\":\"explode\",\"instance\":\"a\"}"),
                commands.cancel("a", "good")));

        var member = member();
        await().atMost(PATIENCE).until(() -> member.status().refused() == 4);

        assertThat(inbox.commandIds()).containsExactly("good");
        var letters = commands.deadLetters();
        assertThat(letters)
                .extracting(letter -> header(letter, "sluice-command-id"))
                .containsExactlyInAnyOrder("bad-1", "bad-2", "bad-3", "bad-4");
        var first = letters.stream()
                .filter(letter -> header(letter, "sluice-command-id").equals("bad-1"))
                .findFirst()
                .orElseThrow();
        assertThat(new String(first.value(), UTF_8)).as("the original bytes").isEqualTo("not json");
        assertThat(new String(first.key(), UTF_8)).isEqualTo("a");
        assertThat(header(first, "ce_id")).as("the original headers").isEqualTo("bad-1");
        assertThat(header(first, DeadLetter.REASON)).contains("not JSON");
        assertThat(header(first, "sluice-topic")).isEqualTo(topics.commands());
    }

    @Test
    void a_command_that_is_too_old_is_refused_unless_it_went_through() throws Exception {
        commands.send(List.of(commands.cancel("a", "c-1")));
        var first = member();
        awaitQueued(1);
        first.close();
        commands.send(List.of(commands.cancel("a", "c-1"), commands.cancel("a", "c-2")));
        var tomorrow = InstantSource.offset(InstantSource.system(), DAY.plusHours(1));

        var member = member(tomorrow);
        await().atMost(PATIENCE)
                .until(() -> member.status().refused() + member.status().queued() == 2);

        assertThat(inbox.commandIds()).containsExactly("c-1");
        assertThat(commands.deadLetters())
                .extracting(letter -> header(letter, "sluice-command-id"))
                .as("no dead letter for a command that was queued")
                .containsExactly("c-2");
    }

    @Test
    void the_floor_travels_with_the_offset() throws Exception {
        commands.send(List.of(commands.cancel("a", "c-1")));
        var first = member();
        await().atMost(PATIENCE).until(() -> first.status().queued() == 1);
        first.close();

        try (var admin = kafka.admin()) {
            var floors = admin
                    .listConsumerGroupOffsets(topics.commandsGroup())
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .values()
                    .stream()
                    .map(offset -> offset.metadata())
                    .toList();

            assertThat(floors)
                    .anySatisfy(floor -> assertThat(floor)
                            .startsWith("floor=" + inbox.queued().get(0).enqueuedAt() + " topic="));
        }
    }

    @Test
    void members_share_the_partitions_and_lose_nothing_when_one_leaves() throws Exception {
        var first = member();
        member();
        var messages = new ArrayList<ProducerRecord<byte[], byte[]>>();
        IntStream.range(0, 100).forEach(i -> messages.add(commands.cancel("order-" + i % 10, "c-" + i)));
        commands.send(messages.subList(0, 50));

        first.close();
        commands.send(messages.subList(50, 100));
        awaitQueued(100);

        assertThat(inbox.commandIds()).doesNotHaveDuplicates().hasSize(100);
    }

    private String replyTopic() throws Exception {
        var topic = cluster.prefix() + ".replies";
        commands.make(topic, Map.of());
        return topic;
    }

    @Test
    void who_asks_for_a_reply_is_told_how_its_command_ended() throws Exception {
        var replies = replyTopic();
        commands.send(List.of(
                with(with(commands.cancel("a", "c-1"), "reply-topic", replies), "correlation-id", "call-7"),
                with(commands.message("a", "c-2", "not json"), "reply-topic", replies),
                commands.cancel("a", "c-3")));

        var member = member();
        await().atMost(PATIENCE)
                .until(() -> member.status().queued() + member.status().refused() == 3);

        assertThat(commands.committed(replies))
                .extracting(reply -> new String(reply.value(), UTF_8))
                .satisfiesExactlyInAnyOrder(
                        accepted -> assertThat(accepted)
                                .isEqualTo("{\"id\":\"c-1\",\"status\":\"accepted\",\"instance\":\"a\"}"),
                        rejected -> assertThat(rejected)
                                .startsWith(
                                        "{\"id\":\"c-2\",\"status\":\"rejected\",\"reason\":\"the command is not JSON"));
        assertThat(commands.committed(replies))
                .filteredOn(reply -> header(reply, "command-id").equals("c-1"))
                .singleElement()
                .satisfies(reply -> {
                    assertThat(new String(reply.key(), UTF_8)).isEqualTo("a");
                    assertThat(header(reply, "correlation-id")).isEqualTo("call-7");
                });
    }

    @Test
    void a_reply_topic_that_is_not_there_or_ours_makes_a_dead_letter_and_no_topic() throws Exception {
        var missing = cluster.prefix() + ".replies.nowhere";
        commands.send(List.of(
                with(commands.cancel("a", "c-1"), "reply-topic", missing),
                with(commands.cancel("a", "c-2"), "reply-topic", topics.positions()),
                with(commands.cancel("a", "c-4"), "reply-topic", topics.streamsApplication() + "-instances-changelog"),
                with(commands.cancel("a", "c-5"), "reply-topic", "__consumer_offsets"),
                with(commands.cancel("a", "c-6"), "reply-topic", topics.prefix() + ".eu.positions"),
                with(commands.cancel("a", "c-7"), "reply-topic", topics.prefix() + ".eu"),
                commands.cancel("a", "c-3")));

        var member = member();
        await().atMost(PATIENCE)
                .until(() -> member.status().queued() == 1 && member.status().refused() == 6);

        assertThat(commands.deadLetters())
                .extracting(letter -> header(letter, DeadLetter.REASON))
                .satisfiesExactlyInAnyOrder(
                        reason -> assertThat(reason).contains(missing).contains("does not exist"),
                        reason -> assertThat(reason).contains("positions is one of the relay's own"),
                        reason -> assertThat(reason).contains("changelog is one of the relay's own"),
                        reason -> assertThat(reason).contains("__consumer_offsets is one of Kafka's own"),
                        reason -> assertThat(reason)
                                .contains(".eu.positions ends in .positions, as a topic of some relay"),
                        reason -> assertThat(reason).contains(".eu is none that the relay may reply to"));
        try (var admin = kafka.admin()) {
            assertThat(admin.listTopics().names().get()).doesNotContain(missing);
        }
    }

    @Test
    void a_reply_fits_into_a_topic_that_takes_little_and_no_record_without_a_key() throws Exception {
        var replies = cluster.prefix() + ".replies";
        commands.make(replies, Map.of("cleanup.policy", "compact", "max.message.bytes", "10000"));
        var giant = "x".repeat(300_000);
        var keyless = new ProducerRecord<byte[], byte[]>(topics.commands(), 0, null, "not json".getBytes(UTF_8));
        keyless.headers().add("ce_id", "keyless".getBytes(UTF_8));
        commands.send(List.of(
                with(
                        commands.message("a", "type", "{\"type\":\"" + giant + "\",\"instance\":\"a\"}"),
                        "reply-topic",
                        replies),
                with(commands.cancel("a", giant), "reply-topic", replies),
                with(with(commands.cancel("a", "correlated"), "reply-topic", replies), "correlation-id", giant),
                with(commands.message(giant, "key", "not json"), "reply-topic", replies),
                with(keyless, "reply-topic", replies),
                with(commands.cancel("a", "good"), "reply-topic", replies)));

        var member = member();
        await().atMost(PATIENCE)
                .until(() -> member.status().queued() == 1 && member.status().refused() == 5);

        assertThat(commands.committed(replies))
                .extracting(reply -> header(reply, "command-id"))
                .contains("type", "correlated", "key", "keyless", "good");
    }

    @Test
    void a_command_past_its_deadline_is_refused() throws Exception {
        long now = System.currentTimeMillis();
        commands.send(List.of(
                with(commands.cancel("a", "late"), "x-tpf-deadline-epoch-ms", String.valueOf(now - 1)),
                with(commands.cancel("a", "in-time"), "x-tpf-deadline-epoch-ms", String.valueOf(now + 600_000))));

        var member = member();
        await().atMost(PATIENCE)
                .until(() -> member.status().queued() == 1 && member.status().refused() == 1);

        assertThat(inbox.commandIds()).containsExactly("in-time");
        assertThat(commands.deadLetters())
                .extracting(letter -> header(letter, DeadLetter.REASON))
                .containsExactly("its deadline has passed");
    }

    @Test
    void records_with_bad_headers_become_dead_letters_and_the_rest_goes_on() throws Exception {
        var twice = with(commands.cancel("a", "c-1"), "ce_id", "c-2");
        var tombstone = new ProducerRecord<byte[], byte[]>(topics.commands(), "a".getBytes(UTF_8), null);
        var noText = new ProducerRecord<>(
                topics.commands(),
                "a".getBytes(UTF_8),
                commands.cancel("a", "x").value());
        noText.headers().add("command-id", new byte[] {(byte) 0xC3, 0x28});
        var nothing = new ProducerRecord<>(
                topics.commands(),
                "a".getBytes(UTF_8),
                commands.cancel("a", "x").value());
        nothing.headers().add("command-id", null);
        commands.send(List.of(twice, tombstone, noText, nothing, commands.cancel("a", "good")));

        var member = member();
        await().atMost(PATIENCE).until(() -> member.status().refused() == 4);

        assertThat(inbox.commandIds()).containsExactly("good");
        assertThat(commands.deadLetters()).hasSize(4);
    }
}
