package io.sluice.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A replica as operators meet it over HTTP. */
class OpsIT {
    @RegisterExtension
    static final CosmosAccount cosmos = CosmosAccount.firstAvailable();

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<AutoCloseable> toClose = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (int i = toClose.size() - 1; i >= 0; i--) {
            toClose.get(i).close();
        }
    }

    private <T extends AutoCloseable> T closing(T thing) {
        toClose.add(thing);
        return thing;
    }

    private OpsClient relay(TestStore store, Duration liveness) {
        var config = RelayConfig.of(store.config(), kafka.bootstrapServers())
                .withPrefix(kafka.prefix())
                .withProvisioning(new RelayConfig.Provisioning(true, 2, 1))
                .withOperations(new RelayConfig.Operations(
                        Duration.ofSeconds(10), liveness, 10, new RelayConfig.Http("127.0.0.1", 0, OpsClient.TOKEN)));
        var relay = closing(OutboxRelay.builder().config(config).build());
        relay.start();
        return new OpsClient(relay.opsPort());
    }

    @Test
    void health_status_and_metrics_tell_how_it_is() {
        var store = closing(TestStore.provisioned(cosmos));
        var ops = relay(store, Duration.ofMinutes(5));
        await().atMost(PATIENCE).until(() -> ops.get("/health/ready").status() == 200);
        store.writeIntents("parent", "child", 1, 1);
        store.writeHistory("parent", 1, 3);
        await().atMost(PATIENCE)
                .until(() -> status(ops).path("intents").path("delivered").asInt() == 1);
        await().atMost(PATIENCE)
                .until(() -> status(ops).path("history").path("published").asInt() == 3);

        assertThat(ops.get("/health/live").json().path("well").asBoolean()).isTrue();
        assertThat(status(ops).path("troubles")).isEmpty();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ops.get("/metrics").body().lines())
                        .contains("sluice_relay_intents_delivered_total 1.0", "sluice_relay_dead_letters 0.0")
                        .contains("sluice_relay_history_latency_seconds_count 3")
                        .anyMatch(line -> line.matches("sluice_relay_history_published_total\\{range=\"\\d\"} 3.0"))
                        .anyMatch(line -> line.matches("sluice_relay_history_lag_events\\{range=\"\\d\"} 0.0"))
                        .anyMatch(line -> line.startsWith(
                                "sluice_relay_cosmos_charge_request_units_count{operation=\"Batch Document\"}"))
                        .anyMatch(line -> line.contains("operation=\"ReadFeed Document\"")));
        assertThat(ops.get("/events").json().path("events"))
                .extracting(event -> event.path("instance").asText())
                .containsExactly("parent", "parent", "parent");
    }

    private static JsonNode status(OpsClient ops) {
        return ops.get("/status").json().path("status");
    }

    @Test
    void work_that_does_not_come_through_ends_its_life_unless_it_is_paused() {
        var store = closing(TestStore.provisioned(cosmos));
        var ops = relay(store, Duration.ofSeconds(1));
        await().atMost(PATIENCE).until(() -> ops.get("/health/live").status() == 200);
        cosmos.requireEmulator()
                .faults()
                .refuse(
                        request -> request.operation() == io.sluice.emulator.RequestKind.BATCH
                                && "[\"child\"]".equals(request.partitionKey()),
                        0,
                        503,
                        0);
        store.writeIntents("parent", "child", 1, 1);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ops.get("/health/live"))
                        .returns(503, OpsClient.Reply::status)
                        .extracting(
                                reply -> reply.json().path("reasons").path(0).asText())
                        .asString()
                        .startsWith("the delivery of intents has work and has made no progress for"));
        assertThat(ops.post("/pause/intents").status()).isEqualTo(200);
        assertThat(ops.get("/health/live").status()).isEqualTo(200);
        cosmos.requireEmulator().faults().clear();
        ops.post("/resume/all");
        await().atMost(PATIENCE).until(() -> store.ids("child", "orch_queue").size() == 1);
        await().atMost(PATIENCE).until(() -> ops.get("/health/live").status() == 200);
    }

    @Test
    void what_is_paused_takes_nothing_new_until_it_is_resumed() throws Exception {
        var store = closing(TestStore.provisioned(cosmos));
        var ops = relay(store, Duration.ofSeconds(2));
        await().atMost(PATIENCE).until(() -> ops.get("/health/ready").status() == 200);
        ops.post("/pause/all");
        await().atMost(PATIENCE)
                .until(() -> ops.get("/status").body().contains("PAUSED")
                        && !ops.get("/status").body().contains("PUBLISHING"));
        var topics = new TestTopics(kafka.bootstrapServers(), kafka.prefix());

        store.writeIntents("parent", "child", 1, 1);
        var events = store.writeHistory("parent", 1, 2);
        topics.send("told", "c-1", "{\"type\":\"cancel\",\"instance\":\"told\",\"reason\":\"r\"}");
        // Longer than any of them takes, and than a worker that isn't paused may be silent.
        await().during(Duration.ofSeconds(4))
                .atMost(PATIENCE)
                .until(() -> store.ids("child", "orch_queue").isEmpty()
                        && store.ids("told", "orch_queue").isEmpty()
                        && topics.eventIds().isEmpty());
        assertThat(ops.get("/health/live").status()).isEqualTo(200);
        assertThat(ops.get("/health/ready").json().path("paused"))
                .extracting(JsonNode::asText)
                .containsExactly("intents", "events", "commands");

        assertThat(ops.post("/resume/all").json().path("paused")).isEmpty();
        await().atMost(PATIENCE).until(() -> store.ids("child", "orch_queue").size() == 1);
        await().atMost(PATIENCE).until(() -> store.ids("told", "orch_queue").size() == 1);
        await().atMost(PATIENCE).until(() -> topics.eventIds().equals(events));
    }
}
