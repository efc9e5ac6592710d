package io.sluice.client.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LifecycleEventsIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Instant NOON = Instant.parse("2023-11-14T12:00:00Z");

    private static Admin admin;
    private static KafkaProducer<String, byte @Nullable []> producer;

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<LifecycleEvents> readers = new ArrayList<>();

    /** Notes every event, and fails or judges as the test says. */
    private class Notebook implements LifecycleHandler {
        @Override
        public void handle(LifecycleEvent event) throws Exception {
            seen.add(event.id());
        }

        @Override
        public Verdict onBadRecord(BadRecord bad) {
            seen.add("bad: " + bad.reason());
            return Verdict.SKIP;
        }
    }

    @BeforeAll
    static void connect() {
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 0);
        admin = Admin.create(settings);
        producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
    }

    @AfterAll
    static void disconnect() {
        producer.close();
        admin.close();
    }

    @BeforeEach
    void makeTopic() throws Exception {
        // Events of long ago: a broker's own retention would take them away in the middle of a test.
        KafkaTopics.create(
                admin,
                new NewTopic(topic(), 2, (short) 1)
                        .configs(Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime")));
    }

    @AfterEach
    void closeReaders() {
        readers.forEach(LifecycleEvents::close);
    }

    private static String topic() {
        return kafka.prefix() + ".lifecycle";
    }

    private static ReaderConfig group() {
        return ReaderConfig.ofGroup(kafka.bootstrapServers(), kafka.prefix(), kafka.prefix() + "-billing");
    }

    private LifecycleEvents reader(ReaderConfig config, LifecycleHandler handler) {
        var reader = LifecycleEvents.start(config, handler);
        readers.add(reader);
        return reader;
    }

    private void awaitSeen(String... ids) {
        await().atMost(TIMEOUT).until(() -> seen.size() >= ids.length);
        assertThat(seen).containsExactlyInAnyOrder(ids);
    }

    /** Events of one instance: {@code <instance>:<number>}, a minute apart. */
    /** Returns when the last one was written. */
    private static Instant publish(String instance, int from, int to) throws Exception {
        Instant last = Instant.MIN;
        for (int i = from; i <= to; i++) {
            var event = new LifecycleEvent(
                    instance + ":" + i, instance, 1, i, time(i), "Order", null, null, instance, new Fact.Started());
            last = publish(instance, LifecycleJson.encode(event), time(i));
        }
        return last;
    }

    private static Instant time(int minutes) {
        return NOON.plus(Duration.ofMinutes(minutes));
    }

    private static Instant publish(String key, byte @Nullable [] value, Instant time) throws Exception {
        var message = new ProducerRecord<>(topic(), null, time.toEpochMilli(), key, value);
        return Instant.ofEpochMilli(producer.send(message).get().timestamp());
    }

    @Test
    void a_group_goes_on_where_it_was() throws Exception {
        publish("o-1", 1, 3);
        var first = reader(group(), new Notebook());
        awaitSeen("o-1:1", "o-1:2", "o-1:3");
        first.close();
        assertThat(first.ended()).isCompleted();
        publish("o-1", 4, 5);
        publish("o-2", 1, 1);

        reader(group(), new Notebook());

        awaitSeen("o-1:1", "o-1:2", "o-1:3", "o-1:4", "o-1:5", "o-2:1");
        assertThat(seen.stream().filter(id -> id.startsWith("o-1"))).isSorted();
    }

    @Test
    void members_share_the_partitions_and_nothing_is_lost_when_one_leaves() throws Exception {
        var expected = new ArrayList<String>();
        for (int i = 0; i < 10; i++) {
            publish("o-" + i, 1, 2);
            expected.add("o-" + i + ":1");
            expected.add("o-" + i + ":2");
        }
        var first = reader(group(), new Notebook());
        reader(group(), new Notebook());
        await().atMost(TIMEOUT).until(() -> seen.size() >= 20);
        first.close();
        for (int i = 0; i < 10; i++) {
            publish("o-" + i, 3, 3);
            expected.add("o-" + i + ":3");
        }

        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(seen).containsAll(expected));
    }

    @Test
    void a_group_that_begins_at_the_end_does_so_once() throws Exception {
        publish("o-1", 1, 3);
        var first = reader(group().withStartAt(StartAt.end()), new Notebook());
        await().atMost(TIMEOUT).until(LifecycleEventsIT::isCommitted);
        first.close();
        publish("o-1", 4, 4);

        reader(group().withStartAt(StartAt.end()), new Notebook());

        awaitSeen("o-1:4");
    }

    private static boolean isCommitted() throws Exception {
        return offsets().size() == 2;
    }

    @Test
    void a_reader_alone_begins_anew_where_it_is_told() throws Exception {
        Instant third = publish("o-1", 1, 3);
        await().until(() -> Instant.now().isAfter(third));
        publish("o-1", 4, 5);

        reader(
                ReaderConfig.alone(kafka.bootstrapServers(), kafka.prefix(), StartAt.time(third.plusMillis(1))),
                new Notebook());
        awaitSeen("o-1:4", "o-1:5");
        reader(ReaderConfig.alone(kafka.bootstrapServers(), kafka.prefix(), StartAt.beginning()), new Notebook());
        awaitSeen("o-1:4", "o-1:5", "o-1:1", "o-1:2", "o-1:3", "o-1:4", "o-1:5");
    }

    @Test
    void an_event_that_can_not_be_handled_is_tried_again_in_its_place_and_others_go_on() throws Exception {
        publish("o-1", 1, 3);
        publish(elsewhere("o-1"), 1, 1);
        var attempts = new CopyOnWriteArrayList<Integer>();

        reader(group(), new Notebook() {
            @Override
            public void handle(LifecycleEvent event) throws Exception {
                if (event.id().equals("o-1:2") && attempts.size() < 3) {
                    throw new IllegalStateException("the database is away");
                }
                super.handle(event);
            }

            @Override
            public Verdict onFailure(LifecycleEvent event, Exception failure, int attempt) {
                attempts.add(attempt);
                return Verdict.RETRY;
            }
        });

        awaitSeen("o-1:1", "o-1:2", "o-1:3", elsewhere("o-1") + ":1");
        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(seen.stream().filter(id -> id.startsWith("o-1:"))).isSorted();
    }

    /** An instance whose events are on another partition. */
    private static String elsewhere(String instance) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "p-" + i)
                .filter(other -> partition(other) != partition(instance))
                .findFirst()
                .orElseThrow();
    }

    private static int partition(String key) {
        return Utils.toPositive(Utils.murmur2(key.getBytes(UTF_8))) % 2;
    }

    @Test
    void bad_records_are_reported_and_facts_of_newer_relays_are_not_bad() throws Exception {
        publish("o-1", "{torn".getBytes(UTF_8), NOON);
        publish("o-1", null, NOON);
        publish(
                "o-1",
                new String(
                                LifecycleJson.encode(new LifecycleEvent(
                                        "new", "o-1", 1, 1, NOON, null, null, null, "o-1", new Fact.Started())),
                                UTF_8)
                        .replace("started", "teleported")
                        .getBytes(UTF_8),
                NOON);
        publish("o-1", 1, 1);

        reader(group(), new Notebook());

        awaitSeen(
                "bad: no LifecycleEvent: line 1, column 2",
                "bad: no LifecycleEvent: the record has no value",
                "new",
                "o-1:1");
    }

    @Test
    void a_reader_that_is_told_to_stop_says_so_and_the_next_one_meets_the_same_event() throws Exception {
        publish("o-1", 1, 2);
        publish("o-1", "{torn".getBytes(UTF_8), NOON);
        publish("o-1", 3, 3);
        LifecycleHandler strict = event -> seen.add(event.id());

        for (int times = 0; times < 2; times++) {
            var reader = reader(group(), strict);
            assertThatThrownBy(() -> reader.ended().get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(ReaderStoppedException.class)
                    .hasMessageStartingWith("the handler stopped at " + topic() + "-" + partition("o-1") + "@2 of")
                    .hasMessageEndingWith("no LifecycleEvent: line 1, column 2");
        }
        assertThat(seen).as("what was handled is committed").containsExactly("o-1:1", "o-1:2");
    }

    @Test
    void events_that_were_deleted_unread_are_not_passed_over_in_silence() throws Exception {
        publish("o-1", 1, 3);
        var first = reader(group(), new Notebook());
        awaitSeen("o-1:1", "o-1:2", "o-1:3");
        first.close();
        publish("o-1", 4, 6);
        admin.deleteRecords(Map.of(new TopicPartition(topic(), partition("o-1")), RecordsToDelete.beforeOffset(5)))
                .all()
                .get();

        var reader = reader(group(), new Notebook());

        assertThatThrownBy(() -> reader.ended().get(60, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(ReaderStoppedException.class)
                .hasMessageContaining("deleted by the topic's retention before they were read");
    }

    @Test
    void closing_interrupts_a_handler_that_hangs_and_its_event_comes_again() throws Exception {
        publish("o-1", 1, 2);
        var hangs = new CountDownLatch(1);
        var reader = reader(group().withCloseTimeout(Duration.ofMillis(500)), event -> {
            seen.add(event.id());
            if (event.id().equals("o-1:2")) {
                hangs.countDown();
                new CountDownLatch(1).await();
            }
        });
        assertThat(hangs.await(60, TimeUnit.SECONDS)).isTrue();

        reader.close();
        await().atMost(TIMEOUT).until(() -> reader.ended().isDone());

        assertThat(reader.ended()).isCompleted();
        reader(group(), new Notebook());
        awaitSeen("o-1:1", "o-1:2", "o-1:2");
    }

    @Test
    void a_handler_that_is_slower_than_its_batches_gets_through_all_of_them_once() throws Exception {
        publish("o-1", 1, 8);
        publish(elsewhere("o-1"), 1, 2);
        var shortPoll = Map.of("max.poll.interval.ms", "5000", "session.timeout.ms", "6000");

        var never = new CountDownLatch(1);
        reader(group().withKafkaSettings(shortPoll), event -> {
            assertThat(never.await(700, TimeUnit.MILLISECONDS)).isFalse();
            seen.add(event.id());
        });

        await().atMost(TIMEOUT).until(() -> committed() == 10);
        assertThat(seen)
                .as("the group did not put the reader out, so nothing came twice")
                .hasSize(10)
                .doesNotHaveDuplicates();
        assertThat(seen.stream().filter(id -> id.startsWith("o-1:")))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 8).mapToObj(i -> "o-1:" + i).toList());
    }

    /** Events of all partitions that the group has behind it. */
    private static long committed() throws Exception {
        return offsets().values().stream().mapToLong(OffsetAndMetadata::offset).sum();
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets() throws Exception {
        return admin.listConsumerGroupOffsets(kafka.prefix() + "-billing")
                .partitionsToOffsetAndMetadata()
                .get();
    }

    @Test
    void a_reader_that_can_not_work_does_not_start() {
        assertThatThrownBy(() -> LifecycleEvents.start(
                        ReaderConfig.ofGroup(kafka.bootstrapServers(), kafka.prefix() + "-other", "g"), new Notebook()))
                .isInstanceOf(ReaderStoppedException.class)
                .hasMessageContaining("-other.lifecycle is missing");
        assertThatThrownBy(() -> LifecycleEvents.start(
                        ReaderConfig.ofGroup("127.0.0.1:1", kafka.prefix(), "g")
                                .withStartTimeout(Duration.ofSeconds(1)),
                        new Notebook()))
                .isInstanceOf(ReaderStoppedException.class)
                .hasMessageStartingWith("Kafka at 127.0.0.1:1 does not answer");
    }
}
