package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The shipped worker file and configurations in a real worker. Connectors for files stand in for the Cosmos ones,
 * which no Maven repository of this build carries: all that is Connect's own (converters, transforms, config providers,
 * isolation, Connect's dead letter queue) is as shipped.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConnectWorkerIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SINK = FileSink.class.getName();
    private static final String SOURCE = FileSource.class.getName();
    private static final String SECRET = "canary-of-the-account-key";

    @TempDir
    static Path folder;

    private static EmbeddedKafka kafka;
    private static TestTopics topics;
    private static ConnectWorker worker;

    private static final int LARGEST_DOCUMENT = 2 << 20;

    @BeforeAll
    static void start() throws Exception {
        kafka = EmbeddedKafka.start();
        topics = new TestTopics(kafka.bootstrapServers());
        topics.createOrders();
        worker = ConnectWorker.start(
                folder,
                kafka.bootstrapServers(),
                Map.of(
                        "COSMOS_KEY", SECRET,
                        "COSMOS_ENDPOINT", "http://localhost:1/",
                        "SECRET_OF_ANOTHER", "not for connectors"),
                Map.of(
                        "offset.storage.partitions", "1",
                        "status.storage.partitions", "1",
                        "plugin.path",
                                Files.createDirectory(folder.resolve("plugins")).toString(),
                        "plugin.discovery", "service_load",
                        "offset.flush.interval.ms", "500"));
    }

    @AfterAll
    static void stop() {
        worker.close();
        kafka.close();
    }

    @ParameterizedTest
    @MethodSource("io.sluice.connect.Shipped#all")
    void Connect_finds_no_error_in_what_a_shipped_file_tells_it(Path file) throws Exception {
        var config = Shipped.config(file);
        boolean isSink = config.containsKey("topics");
        config.put("connector.class", isSink ? SINK : SOURCE);
        config.putIfAbsent("topic", "any");

        assertThat(errorsOf(config)).isEmpty();
    }

    @Test
    void Connect_names_wrong_values_before_they_are_applied() throws Exception {
        var config = Shipped.config(Path.of("sink", "status.json"));
        config.put("connector.class", SINK);
        config.put("transforms.living.type", "com.example.Misspelt");
        config.put("errors.tolerance", "most");

        assertThat(String.join("\n", errorsOf(config)))
                .contains("com.example.Misspelt")
                .contains("Invalid value most for configuration errors.tolerance");
    }

    private static List<String> errorsOf(Map<String, String> config) throws Exception {
        var validation = worker.put("/connector-plugins/" + config.get("connector.class") + "/config/validate", config);
        assertThat(validation.has("error_count")).as("%s", validation).isTrue();
        return validation.path("configs").findValues("errors").stream()
                .flatMap(errors -> StreamSupport.stream(errors.spliterator(), false))
                .map(JsonNode::asText)
                .toList();
    }

    @Test
    void the_audit_sink_takes_what_was_committed_and_sets_aside_what_it_cannot_read() throws Exception {
        var file = folder.resolve("audit.txt");
        topics.produce("orders.history", "order-1", "{\"event\":1}");
        topics.inTransaction(false, "orders.history", "order-1", "{\"event\":\"aborted\"}");
        topics.produce("orders.history", "order-1", "this is no JSON");
        topics.produce("orders.history", "order-1", "[\"no object\"]");
        topics.produce("orders.history", "order-1", null);
        topics.produce("orders.history", "order-1", "{\"event\":2}");

        createSink("audit", Path.of("sink", "history-audit.json"), file);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Files.readAllLines(file))
                        .as("tasks: %s", worker.taskStates("audit"))
                        .containsExactly("{event=1}", "{event=2}"));
        var allAside = topics.read("orders.connect.dead-letters", 2);
        assertThat(allAside).extracting(ConsumerRecord::value).containsExactly("this is no JSON", "[\"no object\"]");
        var aside = allAside.get(0);
        assertThat(header(aside, "__connect.errors.topic")).isEqualTo("orders.history");
        assertThat(header(aside, "__connect.errors.exception.class.name")).contains("DataException");
    }

    @Test
    void the_read_model_takes_each_state_under_its_instance_and_leaves_tombstones_alone() throws Exception {
        var file = folder.resolve("status.txt");
        topics.produce("orders.status", "order-1", Values.status("order-1", InstanceStatus.State.RUNNING));
        topics.produce("orders.status", "order-2", null);
        topics.produce("orders.status", "order-1", Values.status("order-1", InstanceStatus.State.COMPLETED));

        createSink("status", Path.of("sink", "status.json"), file);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Files.readAllLines(file))
                        .as("tasks: %s", worker.taskStates("status"))
                        .satisfiesExactly(
                                first -> assertThat(first).contains("id=order-1", "state=RUNNING"),
                                second -> assertThat(second).contains("id=order-1", "state=COMPLETED")));
        assertThat(worker.taskStates("status")).containsExactly("RUNNING");
    }

    @Test
    void the_audit_of_facts_takes_each_with_the_id_and_the_instance_it_is_kept_under() throws Exception {
        var file = folder.resolve("lifecycle.txt");
        topics.produce("orders.lifecycle", "order-1", Values.created("order-1"));

        createSink("lifecycle", Path.of("sink", "lifecycle.json"), file);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Files.readString(file))
                        .as("tasks: %s", worker.taskStates("lifecycle"))
                        .contains("id=order-1:1:1:0:created", "instance=order-1", "type=created"));
    }

    @Test
    void a_dead_letter_of_any_bytes_becomes_an_object_with_its_place() throws Exception {
        var file = folder.resolve("letters.txt");
        topics.produce("orders.dead-letters", "order-2", "{broken");

        createSink("letters", Path.of("sink", "dead-letters.json"), file);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Files.readString(file))
                        .as("tasks: %s", worker.taskStates("letters"))
                        .contains(
                                "original={broken",
                                "topic=orders.dead-letters",
                                "partition=0",
                                "offset=0",
                                "timestamp="));
    }

    @Test
    void the_source_writes_plain_JSON_without_schemas_in_the_worker_s_own_transactions() throws Exception {
        var large = "x".repeat(LARGEST_DOCUMENT);
        var file = Files.writeString(folder.resolve("documents.txt"), "first\n" + large + "\n");
        var config = Shipped.config(Path.of("source", "cosmos-documents.json"));
        config.keySet().removeIf(key -> key.startsWith("azure."));
        config.put("name", "documents");
        config.put("connector.class", SOURCE);
        config.put("file", file.toString());
        config.put("topic", "${env:SLUICE_PREFIX}.cosmos.documents");
        // The stand-in knows no JSON: its lines arrive as JSON strings.
        worker.put("/connectors/documents/config", config);

        assertThat(topics.read("orders.cosmos.documents", 2))
                .extracting(ConsumerRecord::value)
                .containsExactly("\"first\"", "\"" + large + "\"");
    }

    @Test
    void a_variable_that_is_not_let_through_stays_unknown_to_a_connector() throws Exception {
        topics.produce("orders.dead-letters", "order-3", "any");
        var config = Map.of(
                "connector.class",
                SINK,
                "topics",
                "orders.dead-letters",
                "value.converter",
                "org.apache.kafka.connect.storage.StringConverter",
                "file",
                folder + "/${env:SECRET_OF_ANOTHER}");

        worker.put("/connectors/nosy/config", config);

        await().atMost(PATIENCE).until(() -> Files.exists(folder.resolve("${env:SECRET_OF_ANOTHER}")));
        assertThat(folder.resolve("not for connectors")).doesNotExist();
    }

    @Test
    void a_secret_is_shown_neither_by_the_worker_nor_in_its_log() throws Exception {
        var config = Shipped.config(Path.of("sink", "history-audit.json"));
        config.put("name", "secret");
        config.put("connector.class", SINK);
        config.put("file", folder.resolve("secret.txt").toString());
        worker.put("/connectors/secret/config", config);

        // A worker that rebalances, or has not read its own writing yet, answers something else for a moment.
        await().atMost(PATIENCE).untilAsserted(() -> {
            var shown = worker.get("/connectors/secret/config");
            assertThat(shown.path("azure.cosmos.account.key").asText()).isEqualTo("${env:COSMOS_KEY}");
        });
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(worker.taskStates("secret")).contains("RUNNING"));
        assertThat(worker.output()).noneMatch(line -> line.contains(SECRET));
    }

    private static void createSink(String name, Path shipped, Path file) throws IOException, InterruptedException {
        Files.createFile(file);
        var config = Shipped.config(shipped);
        config.keySet().removeIf(key -> key.startsWith("azure."));
        config.put("name", name);
        config.put("connector.class", SINK);
        config.put("tasks.max", "1");
        config.put("file", file.toString());
        var answer = worker.put("/connectors/" + name + "/config", config);
        assertThat(answer.path("name").asText()).as("answer: %s", answer).isEqualTo(name);
    }

    private static String header(ConsumerRecord<String, String> record, String name) {
        return StreamSupport.stream(record.headers().headers(name).spliterator(), false)
                .map(header -> new String(header.value(), StandardCharsets.UTF_8))
                .findFirst()
                .orElse("");
    }
}
