package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.LifecycleJson;
import io.sluice.client.lifecycle.Text;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.relay.streams.InteractiveQueries;
import io.sluice.testkit.KafkaCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Replicas that make something of a history topic, on a real broker: no store is near. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StreamsOnlyIT {
    private static final int PARTITIONS = 4;
    private static final int INSTANCES = 41;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** Of today: facts bear the time of their event, and Kafka deletes what is older than its topic's retention. */
    private final Instant today = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    /** Activities whose names together are more than a topic takes as one record by default. */
    private static final int WIDE = 300;

    @RegisterExtension
    static final KafkaCluster kafka = KafkaCluster.firstAvailable();

    @TempDir
    Path folder;

    @SuppressWarnings("NullAway.Init") // before each test
    private StreamsReplicas replicas;

    @BeforeEach
    void makeHistory() throws Exception {
        replicas = new StreamsReplicas(kafka, folder, Map.of());
        replicas.makeHistory(PARTITIONS);
    }

    @AfterEach
    void close() {
        replicas.close();
    }

    @Test
    void replicas_share_the_history_answer_for_each_other_and_tell_each_fact_once() throws Exception {
        var first = replicas.start("first");
        var second = replicas.start("second");
        tell(1, new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null));

        for (var replica : List.of(first, second)) {
            await().atMost(PATIENCE).until(() -> listed(replica, "status=running"), all -> all.size() == INSTANCES);
            await().atMost(PATIENCE)
                    .until(
                            () -> get(replica, "/instances/order-7"),
                            of -> of.path("state").asText().equals("RUNNING"));
        }
        assertThat(listed(first, "status=running&local=true").size()
                        + listed(second, "status=running&local=true").size())
                .as("each holds its own share")
                .isEqualTo(INSTANCES);
        assertThat(listed(second, "limit=3&after=order-11")).containsExactly("order-12", "order-13", "order-14");

        assertThatWhatIsAskedWronglyIsAnsweredByWhatIsRight(second);
        assertThat(replicas.get(second.port(), "/metrics").body())
                .contains("sluice_relay_streams_running 1.0")
                .contains("sluice_relay_streams_stuck_total 0.0")
                .contains("sluice_relay_ready 1.0")
                .contains("process_uptime_seconds ", "sluice_build_info{");

        first.close();
        tell(2, new EventKind.OrchestrationCompleted("done"));

        await().atMost(PATIENCE).until(() -> listed(second, "status=completed"), all -> all.size() == INSTANCES);
        await().atMost(PATIENCE)
                .until(
                        () -> get(second, "/statistics?orchestration=Order").path("statistics"),
                        windows -> sum(windows, "completed") == INSTANCES && sum(windows, "started") == INSTANCES);
        var facts = facts(3 * INSTANCES);
        assertThat(facts).extracting(LifecycleEvent::id).doesNotHaveDuplicates();
        assertThat(facts).filteredOn(of(Fact.Created.class)).hasSize(INSTANCES);
        assertThat(facts).filteredOn(of(Fact.Started.class)).hasSize(INSTANCES);
        assertThat(facts).filteredOn(of(Fact.Completed.class)).hasSize(INSTANCES);
    }

    @Test
    void a_replica_that_comes_to_others_is_ready_when_it_has_a_share() throws Exception {
        var first = replicas.start("first");
        tell(1, new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null));
        await().atMost(PATIENCE).until(() -> listed(first, "status=running"), all -> all.size() == INSTANCES);

        var second = replicas.start("second");
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> replicas.get(second.port(), "/health/ready").statusCode() == 200);

        assertThat(listed(second, "status=running&local=true"))
                .as("before others have given it a share it does nothing, and must not count as ready")
                .isNotEmpty();
    }

    private void assertThatWhatIsAskedWronglyIsAnsweredByWhatIsRight(StreamsOnlyReplica replica)
            throws InterruptedException {
        assertThat(get(replica, "/instances?status=lost").path("error").asText())
                .isEqualTo("status must be one of [running, completed, failed, cancelled, unknown], was \"lost\"");
        assertThat(get(replica, "/instances?limit=0").path("error").asText()).startsWith("limit must be 1 to 1000");
        assertThat(get(replica, "/statistics?from=yesterday").path("error").asText())
                .startsWith("from must be a time");
        assertThat(get(replica, "/instances/nobody").path("error").asText())
                .isEqualTo("there is no instance of this id");
    }

    @Test
    void an_event_of_the_future_and_a_wide_fan_out_of_long_names_stop_nothing() throws Exception {
        replicas.start("only");
        var future = Instant.now().plus(Duration.ofHours(2));
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            var started = new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null);
            tell(producer, "order-7", 1, started, future);
            var name = "n".repeat(Text.LIMIT);
            for (int i = 2; i < 2 + WIDE; i++) {
                tell(producer, "order-7", i, new EventKind.ActivityScheduled(name, "{}", null, null), today);
            }
            tell(producer, "order-7", 2 + WIDE, new EventKind.OrchestrationCompleted("done"), today);
        }

        var facts = facts(3 + WIDE);

        assertThat(facts).hasSize(3 + WIDE);
        assertThat(facts.get(2 + WIDE).fact()).isInstanceOf(Fact.Completed.class);
    }

    @Test
    void more_statistics_than_memory_is_for_are_refused_with_what_to_ask_instead() throws Exception {
        var replica = replicas.start("only");
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            for (int i = 0; i <= InteractiveQueries.MOST_STATISTICS; i++) {
                var started =
                        new EventKind.OrchestrationStarted("Order-" + i, "1.0.0", "", null, null, null, null, null);
                // Its failure shows by the windows that are missing.
                var unused = producer.send(message("order-" + i, 1, started, today));
            }
        }

        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(500))
                .until(
                        () -> get(replica, "/statistics").path("error").asText(),
                        error -> error.startsWith("more than 10000 windows were asked for; name an orchestration"));
        assertThat(get(replica, "/statistics?orchestration=Order-7").path("statistics"))
                .hasSize(1);
    }

    private void tell(long eventId, EventKind kind) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
            for (int i = 10; i < 9 + INSTANCES; i++) {
                tell(producer, "order-" + i, eventId, kind);
            }
            tell(producer, "order-7", eventId, kind);
        }
    }

    private void tell(KafkaProducer<String, byte[]> producer, String instance, long eventId, EventKind kind)
            throws Exception {
        tell(producer, instance, eventId, kind, today);
    }

    private void tell(
            KafkaProducer<String, byte[]> producer, String instance, long eventId, EventKind kind, Instant made)
            throws Exception {
        producer.send(message(instance, eventId, kind, made)).get();
    }

    private ProducerRecord<String, byte[]> message(String instance, long eventId, EventKind kind, Instant made) {
        var event = HistoryEvent.of(eventId, instance, 1, made.toEpochMilli() + eventId, "0.1.32", kind);
        var message = new ProducerRecord<>(
                kafka.prefix() + ".history", instance, HistoryJson.encode(event).getBytes(UTF_8));
        message.headers().add("ce_id", (instance + ":1:" + eventId).getBytes(UTF_8));
        message.headers().add("ce_type", ("io.sluice.history." + event.type()).getBytes(UTF_8));
        message.headers().add("ce_time", made.toString().getBytes(UTF_8));
        return message;
    }

    private JsonNode get(StreamsOnlyReplica replica, String path) throws InterruptedException {
        return StreamsReplicas.json(replicas.get(replica.port(), path));
    }

    private List<String> listed(StreamsOnlyReplica replica, String query) throws InterruptedException {
        var ids = new ArrayList<String>();
        get(replica, "/instances?" + query)
                .path("instances")
                .forEach(each -> ids.add(each.path("instance").asText()));
        return ids;
    }

    private static long sum(JsonNode windows, String field) {
        long sum = 0;
        for (var window : windows) {
            sum += window.path(field).asLong();
        }
        return sum;
    }

    private static Predicate<LifecycleEvent> of(Class<? extends Fact> type) {
        return event -> type.isInstance(event.fact());
    }

    private List<LifecycleEvent> facts(int atLeast) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            var topic = kafka.prefix() + ".lifecycle";
            consumer.assign(consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList());
            var facts = new ArrayList<LifecycleEvent>();
            await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(200))
                        .forEach(message -> facts.add(LifecycleJson.event(message.value())));
                return facts.size() >= atLeast;
            });
            return facts;
        }
    }
}
