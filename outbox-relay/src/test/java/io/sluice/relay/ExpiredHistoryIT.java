package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.testkit.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Streams that are away while the history that they were to read expires, on a real broker. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Order(1)
class ExpiredHistoryIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private StreamsReplicas replicas;

    @BeforeEach
    void makeHistory() throws Exception {
        replicas = new StreamsReplicas(kafka, folder, Map.of());
        replicas.makeHistory(1);
    }

    @AfterEach
    void close() {
        replicas.close();
    }

    @Test
    @Tag("thorough")
    void instances_whose_end_expired_are_unknown_and_those_that_were_heard_of_since_are_not() throws Exception {
        readAndLeave();
        tell("order-1", 2, new EventKind.OrchestrationCompleted("done"));
        expire();
        tell("order-2", 2, new EventKind.ActivityScheduled("Charge", "{}", null, null));
        tell("order-3", 7, new EventKind.ActivityCompleted("paid"));

        var replica = replicas.start("first");

        awaitState(replica, "order-1", "UNKNOWN");
        awaitState(replica, "order-2", "RUNNING");
        assertThat(get(replica, "/instances/order-2").has("incomplete"))
                .as("none of its events is missing")
                .isFalse();
        assertThat(get(replica, "/instances/order-3").path("incomplete").asBoolean())
                .as("its beginning is missing")
                .isTrue();
        assertThat(get(replica, "/instances?status=unknown").path("instances").findValuesAsText("instance"))
                .containsExactly("order-1");
        assertThat(replicas.get(replica.port(), "/metrics").body()).contains("sluice_relay_streams_jumps_total 1.0");
    }

    @Test
    void it_is_seen_where_nothing_is_left_to_be_read() throws Exception {
        readAndLeave();
        tell("order-1", 2, new EventKind.OrchestrationCompleted("done"));
        expire();

        var replica = replicas.start("first");

        awaitState(replica, "order-1", "UNKNOWN");
        awaitState(replica, "order-2", "UNKNOWN");
    }

    private void readAndLeave() throws Exception {
        var started = new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null);
        tell("order-1", 1, started);
        tell("order-2", 1, started);
        var replica = replicas.start("first");
        awaitState(replica, "order-1", "RUNNING");
        awaitState(replica, "order-2", "RUNNING");
        replica.close();
    }

    private void awaitState(StreamsOnlyReplica replica, String instance, String state) {
        await().atMost(PATIENCE)
                .until(
                        () -> get(replica, "/instances/" + instance)
                                .path("state")
                                .asText(),
                        state::equals);
    }

    private JsonNode get(StreamsOnlyReplica replica, String path) throws InterruptedException {
        return StreamsReplicas.json(replicas.get(replica.port(), path));
    }

    /** As retention does, at once. */
    private static void expire() throws Exception {
        var history = new TopicPartition(kafka.prefix() + ".history", 0);
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.deleteRecords(Map.of(history, RecordsToDelete.beforeOffset(-1)))
                    .all()
                    .get();
        }
    }

    private static void tell(String instance, long eventId, EventKind kind) throws Exception {
        long nowMillis = System.currentTimeMillis();
        var event = HistoryEvent.of(eventId, instance, 1, nowMillis, "0.1.32", kind);
        var message = new ProducerRecord<>(
                kafka.prefix() + ".history", instance, HistoryJson.encode(event).getBytes(UTF_8));
        message.headers().add("ce_id", (instance + ":1:" + eventId).getBytes(UTF_8));
        message.headers().add("ce_type", ("io.sluice.history." + event.type()).getBytes(UTF_8));
        message.headers()
                .add("ce_time", Instant.ofEpochMilli(nowMillis).toString().getBytes(UTF_8));
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            producer.send(message).get();
        }
    }
}
