package io.sluice.relay.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.relay.contract.ContractCheck;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.deadletter.DeadLetter;
import io.sluice.relay.ops.KafkaAccess;
import io.sluice.relay.ops.Oversight;
import io.sluice.relay.ops.Part;
import io.sluice.relay.ops.Topics;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
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

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration DAY = Duration.ofDays(1);

    private final MemoryInbox inbox = new MemoryInbox();
    private final List<CommandIntake> members = new ArrayList<>();
    private KafkaAccess kafka = new KafkaAccess("", Map.of());
    private Topics topics = new Topics("");

    @BeforeEach
    void topics() throws Exception {
        kafka = new KafkaAccess(cluster.bootstrapServers(), Map.of());
        topics = new Topics(cluster.prefix());
        try (var admin = kafka.admin()) {
            admin.createTopics(List.of(
                            new NewTopic(topics.commands(), 2, (short) 1),
                            new NewTopic(topics.deadLetters(), 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    @AfterEach
    void closeAll() {
        members.forEach(CommandIntake::close);
    }

    private CommandIntake member(InstantSource clock) {
        var settings = new CommandIntake.Settings(4, DAY, Duration.ofMillis(200), Duration.ofSeconds(10));
        var member = new CommandIntake(kafka, topics, inbox, settings, clock, Oversight.none(Part.COMMANDS));
        members.add(member);
        member.start();
        return member;
    }

    private CommandIntake member() {
        return member(InstantSource.system());
    }

    private void produce(List<ProducerRecord<byte[], byte[]>> messages) throws Exception {
        try (Producer<byte[], byte[]> producer = kafka.transactional(topics.prefix() + "-test")) {
            producer.initTransactions();
            producer.beginTransaction();
            for (var message : messages) {
                producer.send(message).get();
            }
            producer.commitTransaction();
        }
    }

    private ProducerRecord<byte[], byte[]> message(String instance, String id, String json) {
        var message = new ProducerRecord<>(topics.commands(), instance.getBytes(UTF_8), json.getBytes(UTF_8));
        message.headers().add("ce_id", id.getBytes(UTF_8));
        return message;
    }

    private ProducerRecord<byte[], byte[]> cancel(String instance, String id) {
        return message(instance, id, "{\"type\":\"cancel\",\"instance\":\"" + instance + "\",\"reason\":\"\"}");
    }

    private List<ConsumerRecord<byte[], byte[]>> deadLetters() {
        return committed(topics.deadLetters());
    }

    private List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
        var partition = new TopicPartition(topic, 0);
        var letters = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        try (var consumer = kafka.reader()) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(letters::add);
            }
        }
        ContractCheck.contractOf(topics.prefix(), topic)
                .or(() -> topic.endsWith(".replies") ? Optional.of(TopicCatalogue.REPLIES) : Optional.empty())
                .ifPresent(contract -> letters.forEach(letter -> ContractCheck.fits(contract, letter)));
        return letters;
    }

    private static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        return new String(message.headers().lastHeader(name).value(), UTF_8);
    }

    private void awaitQueued(int count) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(inbox.queued()).hasSizeGreaterThanOrEqualTo(count));
    }

    @Test
    void commands_of_an_instance_are_queued_in_log_order_and_strictly_later() throws Exception {
        var messages = new ArrayList<ProducerRecord<byte[], byte[]>>();
        IntStream.range(0, 30).forEach(i -> messages.add(cancel("order-" + i % 3, "c-" + i)));
        produce(messages);

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
        produce(List.of(cancel("a", "c-1"), cancel("b", "c-2")));
        var first = member();
        awaitQueued(2);
        first.close();
        produce(List.of(cancel("a", "c-3")));

        member();
        awaitQueued(3);

        assertThat(inbox.commandIds()).containsExactlyInAnyOrder("c-1", "c-2", "c-3");
    }

    @Test
    void the_same_id_twice_is_one_command() throws Exception {
        produce(List.of(cancel("a", "c-1"), cancel("a", "c-1"), cancel("a", "c-2")));

        member();
        awaitQueued(2);

        assertThat(inbox.commandIds()).containsExactly("c-1", "c-2");
    }

    @Test
    void an_answer_that_is_lost_queues_nothing_twice() throws Exception {
        inbox.loseAnswers(3);
        produce(List.of(cancel("a", "c-1"), cancel("a", "c-2")));

        var member = member();
        await().atMost(PATIENCE).until(() -> member.status().queued() == 2);

        assertThat(inbox.commandIds()).containsExactly("c-1", "c-2");
    }

    @Test
    void trouble_of_the_store_is_waited_out() throws Exception {
        inbox.throttle(5);
        produce(List.of(cancel("a", "c-1")));

        member();
        awaitQueued(1);

        assertThat(deadLetters()).isEmpty();
    }

    @Test
    void bad_commands_become_dead_letters_and_the_rest_goes_on() throws Exception {
        produce(List.of(
                message("a", "bad-1", "not json"),
                message("a", "bad-2", "{\"type\":\"cancel\",\"reason\":\"\"}"),
                cancel("a#b", "bad-3"),
                message("a", "bad-4", "{\"type\":\"explode\",\"instance\":\"a\"}"),
                cancel("a", "good")));

        var member = member();
        await().atMost(PATIENCE).until(() -> member.status().refused() == 4);

        assertThat(inbox.commandIds()).containsExactly("good");
        var letters = deadLetters();
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
        produce(List.of(cancel("a", "c-1")));
        var first = member();
        awaitQueued(1);
        first.close();
        produce(List.of(cancel("a", "c-1"), cancel("a", "c-2")));
        var tomorrow = InstantSource.offset(InstantSource.system(), DAY.plusHours(1));

        var member = member(tomorrow);
        await().atMost(PATIENCE)
                .until(() -> member.status().refused() + member.status().queued() == 2);

        assertThat(inbox.commandIds()).containsExactly("c-1");
        assertThat(deadLetters())
                .extracting(letter -> header(letter, "sluice-command-id"))
                .as("no dead letter for a command that was queued")
                .containsExactly("c-2");
    }

    @Test
    void the_floor_travels_with_the_offset() throws Exception {
        produce(List.of(cancel("a", "c-1")));
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

            assertThat(floors).contains("floor=" + inbox.queued().get(0).enqueuedAt());
        }
    }

    @Test
    void members_share_the_partitions_and_lose_nothing_when_one_leaves() throws Exception {
        var first = member();
        member();
        var messages = new ArrayList<ProducerRecord<byte[], byte[]>>();
        IntStream.range(0, 100).forEach(i -> messages.add(cancel("order-" + i % 10, "c-" + i)));
        produce(messages.subList(0, 50));

        first.close();
        produce(messages.subList(50, 100));
        awaitQueued(100);

        assertThat(inbox.commandIds()).doesNotHaveDuplicates().hasSize(100);
    }

    private static ProducerRecord<byte[], byte[]> with(
            ProducerRecord<byte[], byte[]> message, String header, String value) {
        message.headers().add(header, value.getBytes(UTF_8));
        return message;
    }

    private String replyTopic() throws Exception {
        var topic = cluster.prefix() + ".replies";
        try (var admin = kafka.admin()) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
        return topic;
    }

    @Test
    void who_asks_for_a_reply_is_told_how_its_command_ended() throws Exception {
        var replies = replyTopic();
        produce(List.of(
                with(with(cancel("a", "c-1"), "reply-topic", replies), "correlation-id", "call-7"),
                with(message("a", "c-2", "not json"), "reply-topic", replies),
                cancel("a", "c-3")));

        var member = member();
        await().atMost(PATIENCE)
                .until(() -> member.status().queued() + member.status().refused() == 3);

        assertThat(committed(replies))
                .extracting(reply -> new String(reply.value(), UTF_8))
                .satisfiesExactlyInAnyOrder(
                        accepted -> assertThat(accepted)
                                .isEqualTo("{\"id\":\"c-1\",\"status\":\"accepted\",\"instance\":\"a\"}"),
                        rejected -> assertThat(rejected)
                                .startsWith(
                                        "{\"id\":\"c-2\",\"status\":\"rejected\",\"reason\":\"the command is not JSON"));
        assertThat(committed(replies))
                .filteredOn(reply -> header(reply, "command-id").equals("c-1"))
                .singleElement()
                .satisfies(reply -> {
                    assertThat(new String(reply.key(), UTF_8)).isEqualTo("a");
                    assertThat(header(reply, "correlation-id")).isEqualTo("call-7");
                });
    }

    @Test
    void a_reply_topic_that_is_not_there_or_ours_makes_a_dead_letter_and_no_topic() throws Exception {
        var missing = cluster.prefix() + ".nowhere";
        produce(List.of(
                with(cancel("a", "c-1"), "reply-topic", missing),
                with(cancel("a", "c-2"), "reply-topic", topics.positions()),
                with(cancel("a", "c-4"), "reply-topic", topics.streamsApplication() + "-instances-changelog"),
                with(cancel("a", "c-5"), "reply-topic", "__consumer_offsets"),
                cancel("a", "c-3")));

        var member = member();
        await().atMost(PATIENCE)
                .until(() -> member.status().queued() == 1 && member.status().refused() == 4);

        assertThat(deadLetters())
                .extracting(letter -> header(letter, DeadLetter.REASON))
                .satisfiesExactlyInAnyOrder(
                        reason -> assertThat(reason).contains(missing).contains("does not exist"),
                        reason -> assertThat(reason).contains("positions is one of the relay's own"),
                        reason -> assertThat(reason).contains("changelog is one of the relay's own"),
                        reason -> assertThat(reason).contains("__consumer_offsets is one of Kafka's own"));
        try (var admin = kafka.admin()) {
            assertThat(admin.listTopics().names().get()).doesNotContain(missing);
        }
    }

    @Test
    void a_reply_fits_into_a_topic_that_takes_little_and_no_record_without_a_key() throws Exception {
        var replies = cluster.prefix() + ".replies";
        try (var admin = kafka.admin()) {
            admin.createTopics(List.of(new NewTopic(replies, 1, (short) 1)
                            .configs(Map.of("cleanup.policy", "compact", "max.message.bytes", "10000"))))
                    .all()
                    .get();
        }
        var giant = "x".repeat(300_000);
        var keyless = new ProducerRecord<byte[], byte[]>(topics.commands(), 0, null, "not json".getBytes(UTF_8));
        keyless.headers().add("ce_id", "keyless".getBytes(UTF_8));
        produce(List.of(
                with(message("a", "type", "{\"type\":\"" + giant + "\",\"instance\":\"a\"}"), "reply-topic", replies),
                with(cancel("a", giant), "reply-topic", replies),
                with(with(cancel("a", "correlated"), "reply-topic", replies), "correlation-id", giant),
                with(message(giant, "key", "not json"), "reply-topic", replies),
                with(keyless, "reply-topic", replies),
                with(cancel("a", "good"), "reply-topic", replies)));

        var member = member();
        await().atMost(PATIENCE)
                .until(() -> member.status().queued() == 1 && member.status().refused() == 5);

        assertThat(committed(replies))
                .extracting(reply -> header(reply, "command-id"))
                .contains("type", "correlated", "key", "keyless", "good");
    }

    @Test
    void a_command_past_its_deadline_is_refused() throws Exception {
        long now = System.currentTimeMillis();
        produce(List.of(
                with(cancel("a", "late"), "x-tpf-deadline-epoch-ms", String.valueOf(now - 1)),
                with(cancel("a", "in-time"), "x-tpf-deadline-epoch-ms", String.valueOf(now + 600_000))));

        var member = member();
        await().atMost(PATIENCE)
                .until(() -> member.status().queued() == 1 && member.status().refused() == 1);

        assertThat(inbox.commandIds()).containsExactly("in-time");
        assertThat(deadLetters())
                .extracting(letter -> header(letter, DeadLetter.REASON))
                .containsExactly("its deadline has passed");
    }

    @Test
    void records_with_bad_headers_become_dead_letters_and_the_rest_goes_on() throws Exception {
        var twice = with(cancel("a", "c-1"), "ce_id", "c-2");
        var tombstone = new ProducerRecord<byte[], byte[]>(topics.commands(), "a".getBytes(UTF_8), null);
        var noText = new ProducerRecord<>(
                topics.commands(), "a".getBytes(UTF_8), cancel("a", "x").value());
        noText.headers().add("command-id", new byte[] {(byte) 0xC3, 0x28});
        var nothing = new ProducerRecord<>(
                topics.commands(), "a".getBytes(UTF_8), cancel("a", "x").value());
        nothing.headers().add("command-id", null);
        produce(List.of(twice, tombstone, noText, nothing, cancel("a", "good")));

        var member = member();
        await().atMost(PATIENCE).until(() -> member.status().refused() == 4);

        assertThat(inbox.commandIds()).containsExactly("good");
        assertThat(deadLetters()).hasSize(4);
    }
}
