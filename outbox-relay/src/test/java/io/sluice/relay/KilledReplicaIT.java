package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What waits, and how long, after one of two replicas was killed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("thorough")
@Order(1)
class KilledReplicaIT {
    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Logger LOG = LoggerFactory.getLogger(KilledReplicaIT.class);
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int INTENTS = 100;
    private static final long PACE_MILLIS = 100;

    @RegisterExtension
    final Opened opened = new Opened();

    private static int published(OutboxRelay relay) {
        return relay.status().history().ranges().size();
    }

    @Test
    void its_intents_are_delivered_before_kafkas_group_misses_it() {
        var emulator = opened.add(CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(8)));
        var store = opened.add(
                TestStore.provisioned(new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "killed", "replica")));
        Map<String, String> environment = new HashMap<>(store.relayEnvironment(kafka));
        var survivor = opened.add(
                OutboxRelay.builder().config(TestConfig.of(store, kafka)).build());
        survivor.start();
        await().atMost(PATIENCE).until(() -> published(survivor) > 1);
        int all = published(survivor);
        var victim = opened.add(RelayProcess.start(environment));
        victim.awaitPrinted(RelayProcess.RUNNING);
        await().atMost(PATIENCE).until(() -> published(survivor) > 0 && published(survivor) < all);
        // Both have heard of each other.
        await().pollDelay(Duration.ofSeconds(5)).atMost(PATIENCE).until(() -> published(survivor) < all);

        victim.kill();
        long killed = System.currentTimeMillis();
        var events = store.writeHistory("order", 1, 5);
        for (int i = 0; i < 8; i++) {
            events.addAll(store.writeHistory("order-" + i, 1, 5));
        }
        var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
        var published = new AtomicLong();
        var written = new ArrayList<Long>();
        await().pollInterval(Duration.ofMillis(PACE_MILLIS)).atMost(PATIENCE).until(() -> {
            int i = written.size();
            if (i < INTENTS) {
                written.add(System.currentTimeMillis());
                store.writeIntents("source-" + i, "target-" + i, 1, 1);
            }
            if (published.get() == 0 && topics.eventIds().containsAll(events)) {
                published.set(System.currentTimeMillis());
            }
            return written.size() == INTENTS && published.get() > 0;
        });
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(delays(emulator, written)).hasSize(INTENTS));
        var delays = delays(emulator, written);
        LOG.atWarn()
                .addKeyValue("intents", delays.stream().sorted().toList())
                .addKeyValue("events", published.get() - killed)
                .log("delays in ms after a replica was killed");
        assertThat(delays.stream().sorted().toList().get(INTENTS * 9 / 10))
                .as("the new owner publishes its ranges after %d ms", published.get() - killed)
                .isLessThan(published.get() - killed);
    }

    /** By the time of the request that brought each to its target. */
    private static List<Long> delays(CosmosEmulator emulator, List<Long> written) {
        var delays = new ArrayList<Long>();
        var batches = emulator.requests()
                .matching(request -> request.operation() == RequestKind.BATCH
                        && request.body().contains("create:receipt:"))
                .toList();
        for (int i = 0; i < written.size(); i++) {
            String intent = "source-" + i + ":";
            long at = written.get(i);
            batches.stream()
                    .filter(batch -> batch.body().contains(intent))
                    .findFirst()
                    .ifPresent(batch -> delays.add(batch.at().toEpochMilli() - at));
        }
        return delays;
    }
}
