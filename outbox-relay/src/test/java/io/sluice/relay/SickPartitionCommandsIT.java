package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.SickPartition.Sickness;
import io.sluice.relay.config.RelayConfig;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import io.sluice.testkit.seed.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commands while one physical partition of the store is sick: those to other partitions are queued as before, those to
 * it when it is well again, each once and in order.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(0)
class SickPartitionCommandsIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PARTITIONS = 8;
    private static final int SICK_INSTANCES = 12;
    private static final int SENT = 120;
    private static final int SICK_EVERY = 4;
    private static final Duration INTERVAL = Duration.ofMillis(50);
    /** Within this time it is known to be sick; commands that were polled with the first to it wait so long. */
    private static final long FIRST_MILLIS = 700;
    /** What a busy machine may add to the comparison. */
    private static final long SLACK_MILLIS = Tier.times(2_000, 250);

    @RegisterExtension
    final Opened opened = new Opened();

    private final StopRequest pace = new StopRequest();
    private final Map<String, List<String>> sent = new HashMap<>();
    private CosmosEmulator emulator;
    private TestStore store;
    private Topics names = new Topics("");
    private TestTopics topics = new TestTopics("", "");
    private Producer<String, String> producer;
    private OutboxRelay relay;

    @BeforeEach
    void start() throws Exception {
        emulator = opened.add(CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(PARTITIONS)));
        store = opened.add(
                TestStore.provisioned(new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "db", "sluice")));
        names = new Topics(kafka.prefix());
        topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        try (var admin = new KafkaAccess(kafka.bootstrapServers(), Map.of()).admin()) {
            KafkaTopics.create(admin, new NewTopic(replies(), 1, (short) 1));
        }
        producer = opened.add(new KafkaProducer<>(
                Map.<String, Object>of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer()));
        relay = relay();
    }

    @AfterEach
    void stop() {
        relay.close();
    }

    private OutboxRelay relay() {
        var fresh = OutboxRelay.builder()
                .config(RelayConfig.of(store.config(), kafka.bootstrapServers())
                        .withPrefix(kafka.prefix())
                        .withProvisioning(new RelayConfig.Provisioning(true, 4, 1)))
                .build();
        fresh.start();
        return fresh;
    }

    private String replies() {
        return kafka.prefix() + ".replies";
    }

    private void send(String instance) throws Exception {
        var ofInstance = sent.computeIfAbsent(instance, first -> new ArrayList<>());
        var id = instance + "/" + ofInstance.size();
        ofInstance.add(id);
        var command = new ProducerRecord<>(
                names.commands(),
                instance,
                "{\"type\":\"raiseEvent\",\"instance\":\"" + instance + "\",\"name\":\"e\",\"data\":\"" + id + "\"}");
        command.headers()
                .add("ce_id", id.getBytes(UTF_8))
                .add("reply-topic", replies().getBytes(UTF_8));
        producer.send(command).get();
    }

    private void sendInTurn(List<String> others, List<String> sick, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            send(others.get(i % others.size()));
            if (!sick.isEmpty() && i % SICK_EVERY == 0) {
                send(sick.get(i / SICK_EVERY % sick.size()));
            }
            pace.await(INTERVAL);
        }
    }

    /** How long each command took, from its record to the record of its reply, sorted. */
    private List<Long> latencies(List<String> instances) {
        var sentAt = new HashMap<String, Long>();
        topics.committed(names.commands())
                .forEach(message -> sentAt.put(TestTopics.header(message, "ce_id"), message.timestamp()));
        return topics.committed(replies()).stream()
                .filter(reply -> instances.contains(new String(reply.key(), UTF_8)))
                .map(reply -> reply.timestamp() - sentAt.getOrDefault(TestTopics.header(reply, "command-id"), 0L))
                .sorted()
                .toList();
    }

    private void awaitReplies(List<String> instances, int count) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(latencies(instances)).hasSizeGreaterThanOrEqualTo(count));
    }

    private List<String> queued(String instance) {
        return store.documents(instance, "orch_queue").stream()
                .sorted(Comparator.<JsonNode>comparingLong(
                                document -> document.path("enqueuedAt").asLong())
                        .thenComparing(document -> document.path("id").asText()))
                .map(document -> document.path("workItem").asText())
                .map(item -> item.replaceAll(".*(sick-\\d+/\\d+|other-\\d+/\\d+|before-\\d+/\\d+).*", "$1"))
                .toList();
    }

    private static long at(List<Long> sorted, double part) {
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(sorted.size() * part)));
    }

    private void assertEachOnceInOrder() {
        sent.forEach((instance, ids) -> assertThat(queued(instance)).containsExactlyElementsOf(ids));
    }

    @Test
    void who_takes_over_from_a_relay_that_was_killed_goes_on_with_what_it_has_parked() throws Exception {
        relay.close();
        List<String> sick;
        List<String> others;
        try (var partition = new SickPartition(emulator, store.config(), 3, Sickness.UNAVAILABLE);
                var unlucky = RelayProcess.start(store.relayEnvironment(kafka))) {
            sick = partition.instances("sick", 3).toList();
            others = partition.others("other", 4).toList();
            unlucky.awaitPrinted(RelayProcess.RUNNING);
            sendInTurn(others, sick, 24);
            awaitReplies(others, 24);
            unlucky.kill();
            sendInTurn(others, sick, 24);
            relay = relay();
            awaitReplies(others, 48);
            assertThat(sick)
                    .allSatisfy(
                            instance -> assertThat(latencies(List.of(instance))).isEmpty());
        }

        awaitReplies(sick, 48 / SICK_EVERY);
        assertEachOnceInOrder();
    }

    static Stream<Sickness> sicknesses() {
        return Stream.of(Sickness.THROTTLED, Sickness.SILENT, Sickness.LATE, Sickness.UNAVAILABLE)
                .limit(Tier.times(1, 4));
    }

    @ParameterizedTest
    @MethodSource("sicknesses")
    void others_are_queued_as_before_and_it_gets_its_own_when_it_is_well(Sickness sickness) throws Exception {
        send("before-0");
        awaitReplies(List.of("before-0"), 1);
        List<String> sick;
        List<String> others;
        List<Long> before;
        List<Long> during;
        try (var partition = new SickPartition(emulator, store.config(), 3, sickness)) {
            sick = partition.instances("sick", SICK_INSTANCES).toList();
            others = partition.others("other", SENT).toList();
        }
        var warm = IntStream.range(1, SENT / 2).mapToObj(i -> "before-" + i).toList();
        sendInTurn(warm, List.of(), SENT / 2);
        awaitReplies(warm, SENT / 2);
        var first = IntStream.range(SENT, 2 * SENT).mapToObj(i -> "before-" + i).toList();
        sendInTurn(first, List.of(), SENT);
        awaitReplies(first, SENT);
        before = latencies(first);

        try (var partition = new SickPartition(emulator, store.config(), 3, sickness)) {
            sendInTurn(others, sick, SENT);
            awaitReplies(others, SENT);
            during = latencies(others);
            assertThat(partition.hits()).isPositive();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(relay.status().problems())
                            .as("it is named")
                            .anyMatch(problem -> problem.contains("parked") && problem.contains("sick-")));
        }

        awaitReplies(sick, SENT / SICK_EVERY);
        var figures = "before %s, during %s".formatted(before, during);
        assertEachOnceInOrder();
        assertThat(at(during, 0.5)).as("p50, %s", figures).isLessThan(2 * at(before, 0.5) + SLACK_MILLIS);
        assertThat(at(during, 0.99))
                .as("the first is waited for, %s", figures)
                .isLessThan(3 * at(before, 0.99) + FIRST_MILLIS + SLACK_MILLIS);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(relay.status().problems()).isEmpty());
    }
}
