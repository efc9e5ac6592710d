package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.program.cli.ExitCode;
import io.sluice.relay.kafka.CommittedRecords;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.TopicReader;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code verify}, beside relays that publish and topics in which something was done. */
class VerifyIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int EVENTS = 5;

    @TempDir
    Path work;

    private final KafkaAccess access = new KafkaAccess(kafka.bootstrapServers(), Map.of());

    private static String history() {
        return kafka.prefix() + ".history";
    }

    private static OutboxRelay relay(TestStore store) {
        return OutboxRelay.builder().config(TestConfig.of(store, kafka)).build();
    }

    /** Writes histories, and has a relay publish them. */
    private static void published(TestStore store, String... instances) {
        try (var relay = relay(store)) {
            relay.start();
            for (var instance : instances) {
                store.writeHistory(instance, 1, EVENTS);
            }
            awaitEvents(instances.length * EVENTS);
        }
    }

    private static void awaitEvents(int events) {
        var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        await().atMost(PATIENCE).until(() -> topics.eventIds().size() >= events);
    }

    private CommandRun verify(TestStore store, String... more) {
        var arguments = new ArrayList<>(List.of("verify", "--work", work.toString(), "--request-units", "10000"));
        Collections.addAll(arguments, more);
        var run = CommandRun.of(CommandRun.environment(store, kafka), arguments.toArray(String[]::new));
        assertThat(work).as("nothing is left there").isEmptyDirectory();
        return run;
    }

    private JsonNode exact(TestStore store, String... more) throws Exception {
        var arguments = new ArrayList<>(List.of(more));
        arguments.add("--json");
        var run = verify(store, arguments.toArray(String[]::new));
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(ExitCode.DONE);
        return JSON.readTree(run.out()).path("counts");
    }

    @Test
    void nothing_is_accused_that_waits_was_purged_or_fell_to_retention() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            published(store, "a", "b", "c");

            var run = verify(store);

            assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
            assertThat(run.lines())
                    .contains(
                            "3 instances: 15 events in the store, 15 records on the topic",
                            "0 lost, 0 twice, 0 altered, 0 out of order, 0 foreign",
                            "exact");

            store.writeHistory("a", EVENTS + 1, 2);
            store.writeHistory("later", 1, 1);
            assertThat(exact(store).path("waiting").asInt()).isEqualTo(3);

            store.deleteHistory("b");
            assertThat(exact(store).path("onlyPublished").asInt()).isEqualTo(EVENTS);

            removeAllButTheLast();
            var counts = exact(store);
            assertThat(counts.path("unknown").asInt()).as(counts.toString()).isPositive();
            assertThat(counts.path("waiting").asInt()).isEqualTo(3);
        }
    }

    @Test
    void a_part_of_time_and_a_part_of_the_instances_can_be_chosen() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            published(store, "a", "b", "c", "d", "e", "f", "g", "h");

            var since =
                    exact(store, "--since", Instant.now().plusSeconds(-3_600).toString());
            var none = exact(store, "--since", Instant.now().toString());
            var sample = exact(store, "--sample", "4");

            assertThat(since.path("same").asInt()).isEqualTo(8 * EVENTS);
            assertThat(none.path("same").asInt()).isLessThan(8 * EVENTS);
            assertThat(sample.path("stored").asInt() % EVENTS).isZero();
            assertThat(sample.path("same").asInt())
                    .isEqualTo(sample.path("stored").asInt())
                    .isLessThan(8 * EVENTS);
        }
    }

    @Test
    void every_planted_fault_is_found_and_no_other() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            published(store, "fine", "lost", "gone", "twice", "altered", "order", "key");
            plant();

            var run = verify(store, "--json");

            assertThat(run.code()).as(run.out() + run.err()).isEqualTo(ExitCode.OTHER);
            var report = JSON.readTree(run.out());
            assertThat(findings(report))
                    .containsExactlyInAnyOrder(
                            "LOST lost:1:3:5",
                            "LOST gone:1:1:5",
                            "LOST gone:1:2:5",
                            "LOST gone:1:3:5",
                            "LOST gone:1:4:5",
                            "LOST gone:1:5:5",
                            "TWICE twice:1:2:5",
                            "ALTERED altered:1:4:5",
                            "ALTERED key:1:5:5",
                            "OUT_OF_ORDER order:1:2:5",
                            "FOREIGN ");
            assertThat(verify(store).lines()).contains("NOT exact");
            assertThat(verify(store, "--limit", "1").lines())
                    .filteredOn(line -> line.startsWith("lost: "))
                    .hasSize(1);
        }
    }

    @Test
    void a_relay_that_publishes_meanwhile_is_never_accused() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store)) {
            relay.start();
            var stopped = new AtomicBoolean();
            var writer = CompletableFuture.runAsync(() -> {
                for (int i = 0; !stopped.get(); i++) {
                    store.writeHistory("busy-" + i % 20, 1 + i / 20 * EVENTS, EVENTS);
                }
            });
            awaitEvents(1);
            try {
                for (int i = 0; i < 3; i++) {
                    assertThat(exact(store).path("same").asInt()).isPositive();
                }
            } finally {
                stopped.set(true);
                writer.join();
            }
        }
    }

    @Test
    void what_is_committed_behind_somebody_elses_open_transaction_is_waited_for() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            published(store, "a");
            try (var open = openTransaction()) {
                try (var relay = relay(store)) {
                    relay.start();
                    store.writeHistory("a", EVENTS + 1, 2);
                    awaitPublished(relay, 2);
                }

                assertThat(exact(store).path("same").asInt()).isEqualTo(EVENTS + 2);
                open.close(Duration.ZERO);
            }
        }
    }

    /** On every partition of the history; the broker ends it after some seconds. */
    private static KafkaProducer<byte[], byte[]> openTransaction() throws Exception {
        var producer = new KafkaProducer<>(
                Map.<String, Object>of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "transactional.id",
                        kafka.prefix() + "-left-open",
                        "transaction.timeout.ms",
                        3_000),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        producer.beginTransaction();
        for (int partition = 0; partition < 2; partition++) {
            producer.send(new ProducerRecord<>(history(), partition, new byte[0], new byte[0]))
                    .get();
        }
        return producer;
    }

    /** By the relay's own count: readers of committed records see nothing behind an open transaction. */
    private static void awaitPublished(OutboxRelay relay, int events) {
        await().atMost(PATIENCE).until(() -> relay.status().history().published() >= events);
    }

    @Test
    void partitions_that_are_added_meanwhile_are_read() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var relay = relay(store)) {
            published(store, "a", "b");
            var isAdded = new AtomicBoolean();
            cosmos.requireEmulator().faults().runAfter(VerifyIT::isQueryOfHistories, 1, query -> {
                if (isAdded.compareAndSet(false, true)) {
                    addPartitions(8);
                    relay.start();
                    for (int i = 0; i < 8; i++) {
                        store.writeHistory("new-" + i, 1, 1);
                    }
                    awaitPublished(relay, 8);
                }
            });

            assertThat(exact(store).path("published").asInt()).isEqualTo(2 * EVENTS + 8);
            assertThat(isAdded).isTrue();
        }
    }

    private static boolean isQueryOfHistories(LoggedRequest request) {
        return request.operation() == RequestKind.QUERY && request.body().contains("@since");
    }

    private void addPartitions(int partitions) {
        try (var admin = access.admin()) {
            admin.createPartitions(Map.of(history(), NewPartitions.increaseTo(partitions)))
                    .all()
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_store_that_refuses_is_no_fault_of_the_topic() {
        try (var store = TestStore.provisioned(cosmos)) {
            published(store, "a");
            cosmos.requireEmulator()
                    .faults()
                    .refuse(request -> request.operation() == RequestKind.CHANGE_FEED, 0, 403, 0);

            var run = verify(store);

            assertThat(run.code()).as(run.out() + run.err()).isEqualTo(ExitCode.START);
            assertThat(run.err()).contains("can't read what is behind the positions");
        } finally {
            cosmos.requireEmulator().faults().clear();
        }
    }

    @Test
    void what_cannot_be_compared_is_refused() {
        try (var store = TestStore.provisioned(cosmos)) {
            assertThat(verify(store, "--sample", "0").err()).contains("--sample must be 1 or more, was 0");
            assertThat(verify(store, "--limit", "0").code()).isEqualTo(ExitCode.SETTINGS);
            assertThat(verify(store, "--sample", "134217728").err()).contains("--sample must be 1000000 or less");
            assertThat(verify(store, "--since", "2999-01-01T00:00:00Z").err()).contains("--since must be in the past");
            var missing = work.resolve("missing").toString();
            assertThat(CommandRun.of(CommandRun.environment(store, kafka), "verify", "--work", missing)
                            .err())
                    .contains("--work must be a directory");
            assertThat(verify(store).err()).contains("there is no topic " + history());
        }
    }

    private static List<String> findings(JsonNode report) {
        return StreamSupport.stream(report.path("findings").spliterator(), false)
                .map(finding ->
                        finding.path("kind").asText() + " " + finding.path("id").asText())
                .toList();
    }

    /** Deletes what is before the last event of each partition, as retention does. */
    private void removeAllButTheLast() throws Exception {
        var last = new HashMap<TopicPartition, RecordsToDelete>();
        for (var message : committed()) {
            last.put(
                    new TopicPartition(history(), message.partition()), RecordsToDelete.beforeOffset(message.offset()));
        }
        try (var admin = access.admin()) {
            admin.deleteRecords(last).all().get();
        }
    }

    private List<ConsumerRecord<byte[], byte[]>> committed() {
        return new TestTopics(kafka.bootstrapServers(), kafka.prefix()).committed(history());
    }

    /** Makes the topic again with other contents, and has the positions take it for the former one. */
    private void plant() throws Exception {
        var messages = committed();
        var positions = CommittedRecords.ofSettled(access, kafka.prefix() + ".positions");
        try (var admin = access.admin()) {
            admin.deleteTopics(List.of(history())).all().get();
            KafkaTopics.create(admin, new NewTopic(history(), 2, (short) 1));
            fill(messages, positions, new TopicReader(admin).id(history()));
        }
    }

    private void fill(
            List<ConsumerRecord<byte[], byte[]>> messages, List<ConsumerRecord<byte[], byte[]>> positions, String id)
            throws Exception {
        try (Producer<byte[], byte[]> producer = access.idempotent(history())) {
            for (var message : tampered(messages)) {
                producer.send(message).get();
            }
            producer.send(new ProducerRecord<>(history(), "fine".getBytes(UTF_8), "of somebody else".getBytes(UTF_8)))
                    .get();
            for (var position : positions) {
                var json = (ObjectNode) JSON.readTree(position.value());
                var value = JSON.writeValueAsBytes(json.put("historyTopicId", id));
                producer.send(new ProducerRecord<>(position.topic(), position.partition(), position.key(), value))
                        .get();
            }
        }
    }

    private List<ProducerRecord<byte[], byte[]>> tampered(List<ConsumerRecord<byte[], byte[]>> messages) {
        var again = new ArrayList<ProducerRecord<byte[], byte[]>>();
        ProducerRecord<byte[], byte[]> late = null;
        for (var message : messages) {
            var same = new ProducerRecord<>(
                    history(), message.partition(), message.key(), message.value(), message.headers());
            switch (TestTopics.header(message, "ce_id")) {
                case "lost:1:3:5", "gone:1:1:5", "gone:1:2:5", "gone:1:3:5", "gone:1:4:5", "gone:1:5:5" -> {}
                case "twice:1:2:5" -> Collections.addAll(again, same, same);
                case "altered:1:4:5" ->
                    again.add(new ProducerRecord<>(
                            history(), message.partition(), message.key(), "{}".getBytes(UTF_8), message.headers()));
                case "key:1:5:5" ->
                    again.add(new ProducerRecord<>(
                            history(),
                            message.partition(),
                            "fine".getBytes(UTF_8),
                            message.value(),
                            message.headers()));
                case "order:1:2:5" -> late = same;
                case "order:1:4:5" -> Collections.addAll(again, same, late);
                default -> again.add(same);
            }
        }
        return again;
    }
}
