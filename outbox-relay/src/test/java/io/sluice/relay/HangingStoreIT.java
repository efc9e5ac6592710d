package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.FreePorts;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A store that takes connections and answers nothing, and what a relay tells of it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class HangingStoreIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Longer than any one request to the store is waited for. */
    private static final String LONG = "(3[1-9]|[4-9]\\d) s";

    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @RegisterExtension
    final Opened opened = new Opened();

    @Test
    void health_status_and_log_name_the_store_and_how_long_and_why_and_the_relay_recovers() throws Exception {
        var emulator = cosmos.requireEmulator();
        int port = FreePorts.of(1).get(0);
        var ops = new OpsClient(port);
        try (var store = TestStore.provisioned(cosmos)) {
            var relay = opened.add(RelayProcess.start(RelayEnvironment.of(
                    store.config(),
                    kafka.bootstrapServers(),
                    kafka.prefix(),
                    Map.of(
                            "SLUICE_TOPIC_PARTITIONS", "2",
                            "SLUICE_TOPIC_REPLICATION", "1",
                            "SLUICE_OPS_PORT", String.valueOf(port),
                            "SLUICE_LIVENESS_TIMEOUT", "60000"))));
            relay.awaitPrinted(RelayProcess.RUNNING);
            store.writeHistory("order-1", 1, 3);
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(reasons(ops, "/health/ready")).isEmpty());
            var answers = new CountDownLatch(1);
            var silence = emulator.faults().runBefore(request -> true, 0, request -> SickPartition.await(answers));

            try {
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(reasons(ops, "/health/ready"))
                                .anySatisfy(reason -> assertThat(reason)
                                        .matches("range \\S+: the store has not answered for " + LONG
                                                + ": Cosmos DB did not answer within \\d+ s when asked for .*")));

                assertThat(ops.get("/health/ready").status()).isEqualTo(503);
                assertThat(ops.get("/status").body()).contains("the store has not answered for ");
                assertThat(reasons(ops, "/health/live"))
                        .as("a restart helps nobody")
                        .isEmpty();
                assertThat(relay.lines())
                        .noneMatch(line -> line.contains("NANOSECONDS") || line.contains("ReactiveException"));
                assertThat(relay.lines())
                        .as("log")
                        .anyMatch(line -> line.contains(
                                "Cosmos DB did not answer within 10 s when asked for the" + " change feed of range"));
            } finally {
                silence.remove();
                answers.countDown();
            }
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(reasons(ops, "/health/ready")).isEmpty());
            var late = store.writeHistory("order-1", 4, 3);
            var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(topics.eventIds()).containsAll(late));
        }
    }

    private static List<String> reasons(OpsClient ops, String path) {
        return StreamSupport.stream(ops.get(path).json().path("reasons").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
