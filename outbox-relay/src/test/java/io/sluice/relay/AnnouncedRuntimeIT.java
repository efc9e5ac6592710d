package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.work.WorkItem;
import io.sluice.relay.config.RelayConfig;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A relay announces, Kafka carries, and a runtime that hears of its work does not search for it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnnouncedRuntimeIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ORDERS = 10;

    @RegisterExtension
    final Opened opened = new Opened();

    @Test
    void an_order_costs_a_lock_and_an_ack_for_each_step() {
        var store = opened.add(TestStore.provisioned(cosmos));
        startRelay(store);
        var client = client(store);
        var runtime = opened.add(
                new SmallRuntime(store, kafka.prefix(), Map.of("bootstrap.servers", kafka.bootstrapServers())));
        await().atMost(PATIENCE).until(runtime::isAnnounced);
        runtime.awaitQuiet();

        double before = runtime.requests();
        client.enqueueForOrchestrator(start("order-1"), null);
        await().atMost(PATIENCE).until(() -> runtime.done().contains("order-1"));

        // Six for the start, the activity and its completion; a look at the second turn, since in the first two minutes
        // of a group nothing is known to be all; and perhaps the lock of an activity that the runtime has already.
        assertThat(runtime.requests() - before).as(runtime.describe()).isBetween(6.0, 8.0);
        for (int order = 2; order <= ORDERS; order++) {
            client.enqueueForOrchestrator(start("order-" + order), null);
        }
        await().atMost(PATIENCE).until(() -> runtime.done().size() == ORDERS);
        runtime.awaitQuiet();
        assertThat(runtime.requests() - before).as(runtime.describe()).isLessThanOrEqualTo(ORDERS * 8);
    }

    @Test
    void a_runtime_with_the_prefix_of_another_stores_relay_searches_for_its_work() {
        var announced = opened.add(TestStore.provisioned(cosmos));
        startRelay(announced);
        var own = opened.add(TestStore.provisioned(new CosmosStoreConfig(
                cosmos.endpoint(), cosmos.key(), cosmos.database(), cosmos.container() + "-other")));
        var client = opened.add(CosmosProvider.builder().config(own.config()).build());
        var kafkaClient = Map.of("bootstrap.servers", kafka.bootstrapServers());
        var right = opened.add(new SmallRuntime(announced, kafka.prefix(), kafkaClient));
        var wrong = opened.add(new SmallRuntime(own, kafka.prefix(), kafkaClient));
        await().atMost(PATIENCE).until(right::isAnnounced);
        await("it would hear of nothing")
                .during(Duration.ofSeconds(5))
                .atMost(PATIENCE)
                .until(() -> !wrong.isAnnounced());

        client.enqueueForOrchestrator(start("order-1"), null);

        await().atMost(Duration.ofSeconds(20)).until(() -> wrong.done().contains("order-1"));
    }

    @Test
    void turns_of_a_runtime_whose_dispatchers_are_busy_are_run_by_another_that_is_free() {
        var store = opened.add(TestStore.provisioned(cosmos));
        startRelay(store);
        var client = client(store);
        var kafkaClient = Map.of("bootstrap.servers", kafka.bootstrapServers());
        var busy = opened.add(new SmallRuntime(store, kafka.prefix(), kafkaClient));
        var free = opened.add(new SmallRuntime(store, kafka.prefix(), kafkaClient));
        await().atMost(PATIENCE).until(() -> busy.isAnnounced() && free.isAnnounced());
        busy.holdTurns();

        for (int order = 0; order < 2 * ORDERS; order++) {
            client.enqueueForOrchestrator(start("order-" + order), null);
        }

        // One is held, the turns of the others that were announced to the busy one go to the free one.
        await().atMost(PATIENCE).until(() -> free.done().size() >= 2 * ORDERS - 1);
        busy.goOn();
        await().atMost(PATIENCE).until(() -> free.done().size() + busy.done().size() == 2 * ORDERS);
    }

    @Test
    void without_its_topic_history_goes_on_and_what_was_queued_meanwhile_is_run() throws Exception {
        var store = opened.add(TestStore.provisioned(cosmos));
        var relay = startRelay(store);
        var client = client(store);
        var runtime = opened.add(
                new SmallRuntime(store, kafka.prefix(), Map.of("bootstrap.servers", kafka.bootstrapServers())));
        await().atMost(PATIENCE).until(runtime::isAnnounced);
        var turns = kafka.prefix() + ".work.turns";
        var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteTopics(List.of(turns)).all().get();
            var events = new ArrayList<String>();

            for (int i = 0; i < ORDERS; i++) {
                events.addAll(store.writeHistory("told-" + i, 1, 3));
                client.enqueueForOrchestrator(start("order-" + i), null);
            }

            await().atMost(Duration.ofSeconds(40)).until(() -> topics.eventIds().containsAll(events));
            assertThat(relay.status().problems()).anyMatch(problem -> problem.contains("its work is not announced"));
            assertThat(relay.status().history().ranges())
                    .allMatch(range -> range.state().equals("PUBLISHING"));
            await("by queries").atMost(PATIENCE).until(() -> runtime.done().size() == ORDERS);

            KafkaTopics.create(admin, new NewTopic(turns, 2, (short) 1));
            await().atMost(PATIENCE).until(() -> relay.status().problems().isEmpty() && runtime.isAnnounced());
            client.enqueueForOrchestrator(start("later"), null);
            await().atMost(PATIENCE).until(() -> runtime.done().contains("later"));
            assertThat(topics.committed(turns)).anyMatch(message -> new String(message.key(), UTF_8).equals("later"));
        }
    }

    private OutboxRelay startRelay(TestStore store) {
        var relay = opened.add(OutboxRelay.builder()
                .config(TestConfig.of(store, kafka)
                        .withDispatch(new RelayConfig.Dispatch(true, Duration.ofMillis(50), Duration.ofSeconds(30))))
                .build());
        relay.start();
        return relay;
    }

    private CosmosProvider client(TestStore store) {
        return opened.add(CosmosProvider.builder()
                .config(store.config())
                .relayExpected(Duration.ofSeconds(30))
                .build());
    }

    private static WorkItem start(String instance) {
        return new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null, null, null, 1);
    }
}
