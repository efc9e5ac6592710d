package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.program.cli.ExitCode;
import io.sluice.relay.ledger.process.KafkaProxy;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Kafka away, Cosmos away, both: the one doesn't wait for the other, no attempt is burnt, and everything comes
 * afterwards, once.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class OutageIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void an_outage_delays_and_loses_nothing() throws Exception {
        var emulator = cosmos.requireEmulator();
        try (var store = TestStore.provisioned(cosmos);
                var proxy = KafkaProxy.before(kafka.bootstrapServers());
                var relay = OutboxRelay.builder()
                        .config(TestConfig.of(store.config(), proxy.bootstrapServers(), kafka.prefix()))
                        .build()) {
            relay.start();
            var expected = new ArrayList<>(write(store, 1));
            awaitEvents(expected);

            proxy.away(true);
            expected.addAll(write(store, 2));
            store.writeIntents("parent", "child", 1, 5);
            awaitIntents(store, 5);
            assertThat(new TestTopics(kafka.bootstrapServers(), kafka.prefix()).eventIds())
                    .as("the intents came while Kafka was away")
                    .hasSizeLessThan(expected.size());

            var everything = emulator.faults().dropConnection(request -> true, 0);
            await().atMost(PATIENCE).until(() -> everything.hits() > 20);
            everything.remove();
            store.writeIntents("parent", "child", 6, 5);
            awaitIntents(store, 10);

            proxy.away(false);
            expected.addAll(write(store, 3));
            awaitEvents(expected);
            assertThat(new TestTopics(kafka.bootstrapServers(), kafka.prefix()).deadLetterReasons())
                    .isEmpty();
            assertThat(relay.status().intents().parked()).isZero();
        }
    }

    @Test
    void a_relay_that_starts_while_Kafka_is_away_delivers_intents_meanwhile() throws Exception {
        try (var store = TestStore.provisioned(cosmos);
                var proxy = KafkaProxy.before(kafka.bootstrapServers());
                var relay = OutboxRelay.builder()
                        .config(TestConfig.of(store.config(), proxy.bootstrapServers(), kafka.prefix() + "-late"))
                        .build()) {
            proxy.away(true);
            store.writeIntents("parent", "child", 1, 5);
            var start = CompletableFuture.runAsync(relay::start);

            awaitIntents(store, 5);
            store.writeIntents("parent", "child", 6, 5);
            awaitIntents(store, 10);
            assertThat(start).as("what else it does needs Kafka").isNotDone();

            proxy.away(false);
            assertThat(start).succeedsWithin(PATIENCE);
            store.writeIntents("parent", "child", 11, 5);
            awaitIntents(store, 15);
            assertThat(relay.status().running()).isTrue();
        }
    }

    @Test
    @Tag("thorough")
    void a_relay_whose_Kafka_is_away_for_longer_than_liveness_waits_is_left_alone() throws Exception {
        var liveness = Duration.ofSeconds(30);
        try (var store = TestStore.provisioned(cosmos);
                var proxy = KafkaProxy.before(kafka.bootstrapServers());
                var relay = OutboxRelay.builder()
                        .config(TestConfig.of(store.config(), proxy.bootstrapServers(), kafka.prefix())
                                .withOperations(TestConfig.operations(liveness, 10, 0, 0)))
                        .build()) {
            relay.start();
            var ops = new OpsClient(relay.opsPort());
            var expected = new ArrayList<>(write(store, 1));
            awaitEvents(expected);

            proxy.away(true);
            expected.addAll(write(store, 2));
            await().during(liveness.plusSeconds(5))
                    .atMost(PATIENCE.plusSeconds(30))
                    .untilAsserted(
                            () -> assertThat(ops.get("/health/live").json().path("reasons"))
                                    .isEmpty());
            assertThat(ops.get("/health/ready").status()).isEqualTo(503);
            store.writeIntents("parent", "child", 1, 5);
            awaitIntents(store, 5);

            proxy.away(false);
            awaitEvents(expected);
        }
    }

    @Test
    void with_store_and_Kafka_away_a_relay_ends_within_its_time_to_drain() throws Exception {
        var emulator = cosmos.requireEmulator();
        var drain = Duration.ofSeconds(8);
        try (var store = TestStore.provisioned(cosmos);
                var proxy = KafkaProxy.before(kafka.bootstrapServers());
                var relay = RelayProcess.start(RelayEnvironment.of(
                        store.config(),
                        proxy.bootstrapServers(),
                        kafka.prefix() + "-away",
                        Map.of(
                                "SLUICE_TOPIC_PARTITIONS", "2",
                                "SLUICE_TOPIC_REPLICATION", "1",
                                "SLUICE_DRAIN_TIMEOUT", String.valueOf(drain.toMillis()))))) {
            relay.awaitPrinted(RelayProcess.RUNNING);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(emulator.requests().matching(OutageIT::isFeed))
                            .as(relay.lines()::toString)
                            .isNotEmpty());
            proxy.away(true);
            var everything = emulator.faults().dropConnection(request -> true, 0);
            try {
                await().atMost(PATIENCE).until(() -> everything.hits() > 20);
                long begunNanos = System.nanoTime();

                assertThat(relay.end()).isEqualTo(ExitCode.DONE);

                // Each part by itself may take as long, and Kafka's clients half a minute more.
                assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(drain.plusSeconds(12));
                assertThat(relay.lines()).anySatisfy(line -> assertThat(line).contains("relay closed"));
            } finally {
                everything.remove();
            }
        }
    }

    private static List<String> write(TestStore store, int round) {
        return IntStream.range(0, 40)
                .mapToObj(i -> store.writeHistory("order-" + i, 1 + 10 * round, 10))
                .flatMap(List::stream)
                .toList();
    }

    private static void awaitEvents(List<String> expected) {
        var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topics.eventIds()).hasSizeGreaterThanOrEqualTo(expected.size()));
        assertThat(topics.eventIds()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static void awaitIntents(TestStore store, int count) {
        await().atMost(PATIENCE).until(() -> store.ids("child", "orch_queue").size() == count);
        await().atMost(PATIENCE)
                .until(() -> store.ids("parent", "outbox_intent").isEmpty());
    }

    private static boolean isFeed(LoggedRequest request) {
        return request.operation() == RequestKind.CHANGE_FEED;
    }
}
