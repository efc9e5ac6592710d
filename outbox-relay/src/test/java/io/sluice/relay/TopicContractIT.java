package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cloudevents.CloudEvent;
import io.cloudevents.kafka.CloudEventDeserializer;
import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.LifecycleJson;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.Fleet;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.contract.ContractCheck;
import io.sluice.relay.contract.EveryEvent;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.history.HistoryExamples;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a whole relay publishes of everything there is, read by strangers: a plain consumer with the schemas, and
 * CloudEvents' own SDK.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TopicContractIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final String TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @TempDir
    Path folder;

    @RegisterExtension
    final Opened opened = new Opened();

    @BeforeEach
    void makeReplyTopic() throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            KafkaTopics.create(admin, new NewTopic(replies(), 1, (short) 1));
        }
    }

    private static String replies() {
        return kafka.prefix() + ".replies.shop";
    }

    private static String name(TopicContract contract) {
        return contract.name(kafka.prefix());
    }

    private static TestTopics topics() {
        return new TestTopics(kafka.bootstrapServers(), kafka.prefix());
    }

    private OpsClient startRelay(TestStore store) {
        var config = TestConfig.of(store, kafka)
                .withStreams(
                        new RelayConfig.Streams(true, folder, 1, 0, "", Duration.ofMinutes(1), Duration.ofSeconds(2)))
                .withDispatch(RelayConfig.Dispatch.OFF.on())
                .withOperations(TestConfig.operations(10));
        var relay = opened.add(OutboxRelay.builder()
                .config(config.withDelivery(new RelayConfig.Delivery(
                        4,
                        config.delivery().backoff().withLongest(Duration.ofMillis(200)),
                        config.delivery().commandMaxAge(),
                        new RelayConfig.GivingUp(2, Duration.ofDays(1), true),
                        Fleet.SLUICE)))
                .build());
        relay.start();
        return new OpsClient(relay.opsPort());
    }

    /** One replica needs no name by which others reach it. */
    private static void statesAreAnswered(OpsClient ops) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(ops.get("/instances/order-1").status()).isEqualTo(200));
    }

    private static void writeHistories(TestStore store, Instant today) {
        EveryEvent.histories(today).forEach(event -> store.write(HistoryExamples.document(event)));
        store.write(HistoryExamples.document(
                "order-1", 3, 1, "{\"event_id\":1,\"type\":\"WalkedOnTheMoon\",\"height\":384400}"));
        store.write(HistoryExamples.document("order-1", 3, 2, "{torn"));
        store.write(HistoryExamples.document(now("traced", 1, started())).put("traceparent", TRACEPARENT));
        store.write(TestDocuments.activity("order-1", "activity-1"));
    }

    private static HistoryEvent now(String instance, long id, EventKind kind) {
        return HistoryEvent.of(id, instance, 1, System.currentTimeMillis(), "0.1.32", kind);
    }

    private static EventKind started() {
        return new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null);
    }

    private static void deleteAnInstance(TestStore store) {
        try (var provider = CosmosProvider.builder()
                .config(store.config())
                .relayExpected(Duration.ofSeconds(60))
                .build()) {
            store.writeLife("gone", 3);
            provider.asManagementCapability().orElseThrow().deleteInstance("gone", false);
        }
    }

    private static void sendCommands() throws Exception {
        var cancel = "{\"type\":\"cancel\",\"instance\":\"order-17\",\"reason\":\"\"}";
        topics().send(
                        "order-17",
                        "{\"type\":\"start\",\"instance\":\"order-17\",\"orchestration\":\"Order\",\"input\":\"{}\"}",
                        Map.of("ce_id", "good", "reply-topic", replies(), "traceparent", TRACEPARENT));
        topics().send("order-17", "not json", Map.of("ce_id", "torn", "reply-topic", replies()));
        topics().send("order-17", cancel, Map.of("ce_id", "late", "x-tpf-deadline-epoch-ms", "1"));
        topics().send("a/b", cancel.replace("order-17", "a/b"), Map.of("ce_id", "refused", "reply-topic", replies()));
        topics().send(
                        "order-17",
                        cancel,
                        Map.of("ce_id", "unheard", "reply-topic", kafka.prefix() + ".replies.nowhere"));
    }

    private static void failIntents(TestStore store) {
        long now = System.currentTimeMillis();
        store.writePoison("poisoned", "child", 1);
        store.writeWithDeadline("too-late", "child", now, now - 1);
    }

    @Test
    void everything_a_relay_publishes_is_as_promised_and_understood_by_strangers() throws Exception {
        var store = opened.add(TestStore.provisioned(cosmos));
        var ops = startRelay(store);
        // Facts bear the time of their event, and Kafka deletes what is older than its topic's retention.
        var today = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        writeHistories(store, today);
        failIntents(store);
        sendCommands();
        deleteAnInstance(store);

        historyIsWhole();
        deadLettersAndRepliesAreThere();
        factsAndStatesAreThere();
        statesAreAnswered(ops);
        silenceIsToldAndTakenBack(store);
        await().atMost(PATIENCE)
                .until(() ->
                        !topics().committed(name(TopicCatalogue.WORK_PULSE)).isEmpty());
        // Runtimes write requests for help, and here is none; no command is parked while the store is well.
        var written = TopicCatalogue.OWN.stream()
                .filter(contract ->
                        !contract.equals(TopicCatalogue.WORK_HELP) && !contract.equals(TopicCatalogue.PARKED_COMMANDS))
                .toList();
        for (var contract : written) {
            assertThat(topics().committed(name(contract)))
                    .as("%s, each record held against its contract", contract.suffix())
                    .isNotEmpty();
        }
        historyIsUnderstoodByCloudEvents(today);
        lifecycleIsUnderstoodByCloudEvents();
    }

    private static void historyIsWhole() {
        var types = Stream.concat(
                        Arrays.stream(EventKind.class.getPermittedSubclasses())
                                .map(kind -> "io.sluice.history." + kind.getSimpleName()),
                        Stream.of("io.sluice.history.unknown", "io.sluice.instance.deleted"))
                .toList();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topics().committed(name(TopicCatalogue.HISTORY)))
                        .extracting(message -> header(message, "ce_type"))
                        .containsAll(types));
    }

    private static void deadLettersAndRepliesAreThere() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topics().committed(name(TopicCatalogue.DEAD_LETTERS)))
                        .extracting(message -> header(message, "sluice-kind"))
                        .containsExactlyInAnyOrder("command", "command", "command", "command", "intent", "intent"));
        assertThat(topics().committed(replies()))
                .hasSize(3)
                .allSatisfy(reply -> ContractCheck.fits(TopicCatalogue.REPLIES, reply));
    }

    private static void factsAndStatesAreThere() {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topics().committed(name(TopicCatalogue.LIFECYCLE)).stream()
                                .<Class<?>>map(message -> LifecycleJson.event(message.value())
                                        .fact()
                                        .getClass())
                                .distinct())
                        .containsExactlyInAnyOrderElementsOf(Arrays.stream(Fact.class.getPermittedSubclasses())
                                .filter(type -> !type.equals(Fact.Unknown.class))
                                .toList()));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(last(TopicCatalogue.STATUS))
                        .containsEntry("gone", "")
                        .containsKeys("order-1", "failed-1", "traced"));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(last(TopicCatalogue.STATISTICS)).isNotEmpty());
    }

    private static void silenceIsToldAndTakenBack(TestStore store) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(last(TopicCatalogue.STUCK)).containsKey("traced");
        });
        store.write(HistoryExamples.document(now("traced", 2, new EventKind.OrchestrationCompleted("late"))));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(last(TopicCatalogue.STUCK)).containsEntry("traced", ""));
    }

    /** The last value of each key, empty for a tombstone. */
    private static Map<String, String> last(TopicContract contract) {
        var last = new LinkedHashMap<String, String>();
        topics().committed(name(contract))
                .forEach(message -> last.put(
                        new String(message.key(), UTF_8),
                        message.value() == null ? "" : new String(message.value(), UTF_8)));
        return last;
    }

    private static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        return new String(message.headers().lastHeader(name).value(), UTF_8);
    }

    private static List<ConsumerRecord<String, CloudEvent>> cloudEvents(TopicContract contract) {
        var events = new ArrayList<ConsumerRecord<String, CloudEvent>>();
        Map<String, Object> settings =
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new CloudEventDeserializer())) {
            var partitions = consumer.partitionsFor(name(contract)).stream()
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var ends = consumer.endOffsets(partitions);
            await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(events::add);
                return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
            });
        }
        return events;
    }

    private static void historyIsUnderstoodByCloudEvents(Instant today) {
        var events = cloudEvents(TopicCatalogue.HISTORY);
        assertThat(events).hasSameSizeAs(topics().committed(name(TopicCatalogue.HISTORY)));
        var source = Objects.requireNonNull(events.get(0).value()).getSource();
        assertThat(source.getScheme()).isEqualTo("cosmos");
        assertThat(events).allSatisfy(message -> {
            assertThat(message.value().getSubject()).isEqualTo(message.key());
            assertThat(message.value().getExtension("partitionkey")).isEqualTo(message.key());
            assertThat(message.value().getSource()).isEqualTo(source);
            assertThat(message.value().getDataContentType()).isEqualTo("application/json");
        });
        var first = EveryEvent.histories(today).get(0);
        assertThat(events)
                .extracting(ConsumerRecord::value)
                .filteredOn(event -> event.getId().equals("order-1:1:1:" + first.timestampMillis()))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.getType()).isEqualTo("io.sluice.history.OrchestrationStarted");
                    assertThat(event.getTime())
                            .isEqualTo(OffsetDateTime.ofInstant(
                                    Instant.ofEpochMilli(first.timestampMillis()), ZoneOffset.UTC));
                    assertThat(event.getExtension("traceparent")).isNull();
                });
        assertThat(events)
                .extracting(ConsumerRecord::value)
                .filteredOn(event ->
                        "traced".equals(event.getSubject()) && event.getType().endsWith("OrchestrationStarted"))
                .singleElement()
                .satisfies(
                        event -> assertThat(event.getExtension("traceparent")).isEqualTo(TRACEPARENT));
    }

    private static void lifecycleIsUnderstoodByCloudEvents() {
        assertThat(cloudEvents(TopicCatalogue.LIFECYCLE)).isNotEmpty().allSatisfy(message -> {
            assertThat(message.timestampType())
                    .as("what retention counts from")
                    .isEqualTo(TimestampType.LOG_APPEND_TIME);
            var event = message.value();
            var fact =
                    LifecycleJson.event(Objects.requireNonNull(event.getData()).toBytes());
            assertThat(event.getId()).isEqualTo(fact.id());
            assertThat(event.getSubject()).isEqualTo(message.key()).isEqualTo(fact.instance());
            assertThat(event.getExtension("partitionkey")).isEqualTo(message.key());
            assertThat(event.getSource().getScheme()).isEqualTo("cosmos");
            assertThat(Objects.requireNonNull(event.getTime()).toInstant()).isEqualTo(fact.time());
        });
    }
}
