package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A relay with 256 MB of heap and a backlog of documents that are together far larger, as at an outage's end. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("thorough")
class LargeBacklogIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    /** More of both by hand: 16 sources of 200 intents are 5.4 GB, for which the emulator needs as much memory. */
    private static final int SOURCES = Integer.getInteger("sluice.large.sources", 4);

    private static final int INTENTS = Integer.getInteger("sluice.large.intents", 40);
    private static final int CHARS = 1_700_000;
    private static final int RANGES = Integer.getInteger("sluice.large.ranges", 32);
    private static final int EVENTS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60 + SOURCES * INTENTS / 2);

    private static Map<String, String> environment(TestStore store) {
        return RelayEnvironment.of(
                store.config(),
                kafka.bootstrapServers(),
                kafka.prefix(),
                Map.of("SLUICE_TOPIC_PARTITIONS", "1", "SLUICE_TOPIC_REPLICATION", "1"));
    }

    @Test
    void everything_is_delivered_and_the_relay_never_runs_out_of_memory() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            for (int source = 0; source < SOURCES; source++) {
                store.writeLargeIntents("fan-" + source, INTENTS, CHARS);
            }
            try (var relay = RelayProcess.start(environment(store))) {
                relay.awaitPrinted(RelayProcess.RUNNING);

                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofSeconds(1))
                        .until(() -> !relay.isAlive() || store.count("outbox_intent") == 0);

                assertThat(relay.isAlive())
                        .as("it ended: %s", relay.lines().stream().limit(40).toList())
                        .isTrue();
                assertThat(store.count("orch_queue")).isEqualTo((long) SOURCES * INTENTS);
            }
        }
    }

    @Test
    void many_ranges_of_large_events_are_published_and_the_relay_never_runs_out_of_memory() throws Exception {
        try (var store = TestStore.provisioned(cosmos)) {
            SickPartition.split(cosmos.requireEmulator(), store.config(), RANGES);
            // Some ranges have none, others several.
            for (int instance = 0; instance < RANGES; instance++) {
                for (int event = 1; event <= EVENTS; event++) {
                    store.writeGiantEvent("order-" + instance, event);
                }
            }
            try (var relay = RelayProcess.start(environment(store))) {
                relay.awaitPrinted(RelayProcess.RUNNING);
                var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());

                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofSeconds(5))
                        .until(() -> !relay.isAlive() || topics.eventIds().size() >= RANGES * EVENTS);

                assertThat(relay.isAlive())
                        .as("it ended: %s", relay.lines().stream().limit(40).toList())
                        .isTrue();
                assertThat(topics.eventIds()).hasSize(RANGES * EVENTS).doesNotHaveDuplicates();
            }
        }
    }
}
