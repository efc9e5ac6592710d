package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.implementation.HttpConstants.StatusCodes;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.relay.config.RelayConfig;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Whole replicas on a container and a broker, seen from outside. What becomes of commands is seen by
 * {@code CommandIntakeIT} and {@code ClientIT}, of intents that are refused by {@code DispatchParityIT} and
 * {@code DeadLettersIT}.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class OutboxRelayIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    final Opened opened = new Opened();

    @SuppressWarnings("NullAway.Init") // before all tests
    private static SharedRelay shared;

    private boolean isAlone;

    @BeforeAll
    static void startRelay() {
        shared = SharedRelay.start(
                cosmos, kafka, UnaryOperator.identity(), store -> store.writeIntents("early", "early-child", 1, 3));
    }

    @AfterAll
    static void closeRelay() {
        shared.close();
    }

    /** A store of the test's own, for relays of its own. */
    private TestStore store() {
        isAlone = true;
        return opened.add(TestStore.provisioned(cosmos));
    }

    private TestTopics topics() {
        return new TestTopics(kafka.bootstrapServers(), isAlone ? kafka.prefix() : shared.prefix());
    }

    private RelayConfig config(CosmosStoreConfig store) {
        return TestConfig.of(store, kafka.bootstrapServers(), kafka.prefix());
    }

    private OutboxRelay relay(TestStore store) {
        return relay(config(store.config()));
    }

    private OutboxRelay relay(RelayConfig config) {
        var relay = opened.add(OutboxRelay.builder().config(config).build());
        relay.start();
        return relay;
    }

    private static List<String> outboxIds(String source, int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(position -> "outbox:" + TestStore.key(source, position))
                .toList();
    }

    @Test
    void intents_reach_their_targets_with_a_receipt_and_are_gone() {

        shared.store().writeIntents("parent", "child", 1, 3);
        await().atMost(PATIENCE)
                .until(() -> shared.store().ids("child", "orch_queue").size() == 3);
        await("those written before the first start")
                .atMost(PATIENCE)
                .until(() -> shared.store().ids("early-child", "orch_queue").size() == 3);

        assertThat(shared.store().ids("child", "orch_queue"))
                .containsExactlyInAnyOrderElementsOf(outboxIds("parent", 1, 3));
        assertThat(shared.store().documents("child", "receipt"))
                .hasSize(3)
                .allSatisfy(
                        receipt -> assertThat(receipt.path("outcome").asText()).isEqualTo("delivered"));
        await().atMost(PATIENCE)
                .until(() -> shared.store().ids("parent", "outbox_intent").isEmpty());
    }

    @Test
    void an_intent_whose_message_was_consumed_is_not_delivered_again() {
        shared.store().writeIntents("consumed", "consumer", 1, 1);
        await().atMost(PATIENCE)
                .until(() -> shared.store().ids("consumer", "orch_queue").size() == 1);
        await().atMost(PATIENCE)
                .until(() -> shared.store().ids("consumed", "outbox_intent").isEmpty());
        shared.store().consumeQueue("consumer");

        shared.store().writeIntents("consumed", "consumer", 1, 1);
        shared.store().writeIntents("consumed", "consumer", 2, 1);
        await().atMost(PATIENCE)
                .until(() -> shared.store().ids("consumed", "outbox_intent").isEmpty());

        assertThat(shared.store().ids("consumer", "orch_queue"))
                .as("the receipt outlives the message")
                .containsExactlyElementsOf(outboxIds("consumed", 2, 1));
    }

    @Test
    void histories_are_published_once_and_in_order_also_across_replicas() {
        var store = store();
        var expected = new ArrayList<List<String>>();
        IntStream.range(0, 20).forEach(i -> expected.add(store.writeHistory("order-" + i, 1, 5)));
        var first = relay(store);
        relay(store);
        IntStream.range(0, 20).forEach(i -> expected.add(store.writeHistory("order-" + i, 6, 5)));

        first.close();
        IntStream.range(0, 20).forEach(i -> expected.add(store.writeHistory("order-" + i, 11, 5)));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topics().eventIds()).hasSizeGreaterThanOrEqualTo(300));

        var ids = topics().eventIds();
        assertThat(ids)
                .containsExactlyInAnyOrderElementsOf(
                        expected.stream().flatMap(List::stream).toList());
        IntStream.range(0, 20)
                .forEach(i -> assertThat(ids)
                        .containsSubsequence(expected.get(i))
                        .containsSubsequence(expected.get(i + 20))
                        .containsSubsequence(expected.get(i + 40)));
    }

    @Test
    void history_is_removed_only_after_it_was_published() {
        var store = store();
        try (var provider = CosmosProvider.builder()
                .config(store.config())
                .relayExpected(Duration.ofSeconds(20))
                .build()) {
            var published = store.writeLife("order-1", 5);
            relay(store);

            var deleted = provider.asManagementCapability().orElseThrow().deleteInstance("order-1", false);

            assertThat(deleted.eventsDeleted()).isEqualTo(5);
            assertThat(topics().eventIds())
                    .as("before the deletion returned")
                    .startsWith(published.toArray(new String[0]));
            assertThat(store.documents("order-1", "history")).isEmpty();
            await().atMost(PATIENCE).until(() -> topics().eventIds().size() == 6);
            assertThat(topics().eventIds().get(5)).as("the end of this life").startsWith("order-1:deleted:");

            store.writeLife("order-1", 1);
            provider.asManagementCapability().orElseThrow().deleteInstance("order-1", false);
            await().atMost(PATIENCE).until(() -> topics().eventIds().size() == 8);
            assertThat(topics().eventIds())
                    .filteredOn(id -> id.contains(":deleted:"))
                    .as("each life ends once")
                    .hasSize(2)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void nothing_is_removed_while_no_relay_runs() {
        var store = store();
        store.writeLife("order-1", 5);
        try (var provider = CosmosProvider.builder()
                .config(store.config())
                .relayExpected(Duration.ofMillis(500))
                .build()) {
            var admin = provider.asManagementCapability().orElseThrow();

            assertThatThrownBy(() -> admin.deleteInstance("order-1", false))
                    .isInstanceOfSatisfying(
                            ProviderException.class,
                            e -> assertThat(e.retryable()).isTrue())
                    .hasMessageContaining("relay is behind");

            assertThat(admin.readHistory("order-1")).hasSize(5);
            assertThat(store.documents("order-1", "purge")).isEmpty();
        }
    }

    @Test
    void what_the_feed_no_longer_shows_is_found_by_the_sweep() {
        var store = store();
        var emulator = cosmos.requireEmulator();
        emulator.faults()
                .refuse(
                        request -> request.operation() == io.sluice.emulator.RequestKind.BATCH
                                && "[\"child\"]".equals(request.partitionKey()),
                        0,
                        StatusCodes.SERVICE_UNAVAILABLE,
                        0);
        var first = relay(store);
        store.writeIntents("parent", "child", 1, 1);
        await().atMost(PATIENCE).until(() -> first.status().intents().retried() > 0);
        first.close();
        emulator.faults().clear();

        relay(store);

        await().atMost(PATIENCE).until(() -> store.ids("child", "orch_queue").size() == 1);
    }

    @Test
    void a_kafka_and_a_store_out_of_reach_are_both_named_within_seconds_where_nobody_waits_for_them() {
        var nowhere = new CosmosStoreConfig("http://127.0.0.1:1/", "a2V5", "db", "c");
        var config = RelayConfig.of(nowhere, "127.0.0.1:1");
        var relay = opened.add(OutboxRelay.builder()
                .config(config.withOperations(config.operations().withStartTimeout(Duration.ZERO)))
                .build());

        assertThatThrownBy(relay::start)
                .isInstanceOf(RelayStartException.class)
                .hasMessageContaining("KAFKA_BOOTSTRAP_SERVERS")
                .hasMessageContaining("COSMOS_ENDPOINT");
    }

    @Test
    void without_leave_to_make_them_missing_things_refuse_the_start() {
        var store = store();
        var config = config(store.config()).withProvisioning(new RelayConfig.Provisioning(false, 2, 1));
        var relay = opened.add(OutboxRelay.builder().config(config).build());

        assertThatThrownBy(relay::start).isInstanceOf(RelayStartException.class).hasMessageContaining("run provision");
    }

    @Test
    void a_relay_that_never_started_closes_and_stays_closed() {
        var relay = OutboxRelay.builder()
                .config(RelayConfig.of(new CosmosStoreConfig("http://127.0.0.1:1/", "a2V5", "db", "c"), "127.0.0.1:1"))
                .build();

        relay.close();
        relay.close();

        assertThatThrownBy(relay::start).isInstanceOf(IllegalStateException.class);
    }
}
