package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.cosmos.CosmosClient;
import io.sluice.relay.config.RelayConfig;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Containers that somebody deletes while a relay runs. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LostContainersIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int INSTANCES = 60;

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static OutboxRelay relay(TestStore store) {
        var environment = CommandRun.environment(store, kafka);
        environment.put("SLUICE_SWEEP_INTERVAL", "5000");
        var relay = OutboxRelay.builder()
                .config(RelayConfig.load(environment, null))
                .build();
        relay.start();
        return relay;
    }

    private static void delete(String container) {
        try (CosmosClient client = cosmos.clientBuilder().buildClient()) {
            client.getDatabase(cosmos.database()).getContainer(container).delete();
        }
    }

    private static List<String> write(TestStore store, String kind) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < INSTANCES; i++) {
            ids.addAll(store.writeHistory(kind + "-" + i, 1, 1));
        }
        return ids;
    }

    @Test
    void a_container_that_is_made_again_is_refused_by_the_relay_that_runs() {
        var store = TestStore.provisioned(cosmos);
        try (var relay = relay(store)) {
            var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
            var before = write(store, "old");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(topics.eventIds()).hasSize(before.size()));
            store.close();

            delete(cosmos.container());
            store = TestStore.provisioned(cosmos);
            // More than the former had, so that its feed ends behind every position.
            for (int i = 0; i < 3; i++) {
                write(store, "new-" + i);
            }

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(relay.status().history().ranges())
                            .allMatch(range -> range.state().equals("REFUSED")));
            assertThat(relay.status().problems())
                    .anySatisfy(problem -> assertThat(problem).contains("deleted and made again"));
            assertThat(topics.eventIds()).containsExactlyInAnyOrderElementsOf(before);
        } finally {
            store.close();
        }
    }
}
