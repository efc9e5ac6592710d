package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.EmbeddedKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shipped worker file and configurations in a real worker. Kafka's file connectors stand in for the Cosmos ones, which
 * no Maven repository of this build carries: all that is Connect's own (converters, transforms, config providers, isolation,
 * Connect's dead letter queue) is as shipped.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConnectWorkerIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SECRET = "canary-of-the-account-key";

    @TempDir
    static Path folder;

    private static EmbeddedKafka kafka;
    private static ConnectWorker worker;

    @BeforeAll
    static void start() throws Exception {
        kafka = EmbeddedKafka.start();
        try (var admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(
                            topic("orders.history"),
                            topic("orders.dead-letters"),
                            topic("orders.connect.dead-letters"),
                            topic("orders.cosmos.documents")))
                    .all()
                    .get();
        }
        worker = ConnectWorker.start(
                folder,
                Map.of(
                        "KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                        "SLUICE_PREFIX", "orders",
                        "COSMOS_KEY", SECRET,
                        "COSMOS_ENDPOINT", "http://localhost:1/",
                        "COSMOS_DATABASE", "duroxide",
                        "COSMOS_CONTAINER", "duroxide",
                        "SECRET_OF_ANOTHER", "not for connectors"),
                Map.of(
                        "offset.storage.replication.factor", "1",
                        "config.storage.replication.factor", "1",
                        "status.storage.replication.factor", "1",
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

    @Test
    void the_audit_sink_takes_what_was_committed_and_sets_aside_what_it_cannot_read() throws Exception {
        var file = folder.resolve("audit.txt");
        inTransaction(true, "orders.history", "order-1", "{\"event\":1}");
        inTransaction(false, "orders.history", "order-1", "{\"event\":\"aborted\"}");
        inTransaction(true, "orders.history", "order-1", "this is no JSON");
        inTransaction(true, "orders.history", "order-1", "{\"event\":2}");

        createSink("audit", Path.of("sink", "history-audit.json"), file);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Files.readAllLines(file))
                        .as("tasks: %s", worker.taskStates("audit"))
                        .containsExactly("{event=1}", "{event=2}"));
        var aside = read("orders.connect.dead-letters", 1).get(0);
        assertThat(aside.value()).isEqualTo("this is no JSON");
        assertThat(header(aside, "__connect.errors.topic")).isEqualTo("orders.history");
        assertThat(header(aside, "__connect.errors.exception.class.name")).contains("DataException");
    }

    @Test
    void a_dead_letter_of_any_bytes_becomes_an_object_with_its_place() throws Exception {
        var file = folder.resolve("letters.txt");
        inTransaction(true, "orders.dead-letters", "order-2", "{broken");

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
        var file = Files.writeString(folder.resolve("documents.txt"), "first\nsecond\n");
        var config = shipped(Path.of("source", "cosmos-documents.json"));
        config.keySet().removeIf(key -> key.startsWith("azure."));
        config.put("connector.class", "org.apache.kafka.connect.file.FileStreamSourceConnector");
        config.put("file", file.toString());
        config.put("topic", "${env:SLUICE_PREFIX}.cosmos.documents");
        // The stand-in knows no JSON: its lines arrive as JSON strings.
        worker.put("/connectors/documents/config", config);

        assertThat(read("orders.cosmos.documents", 2))
                .extracting(ConsumerRecord::value)
                .containsExactly("\"first\"", "\"second\"");
    }

    @Test
    void a_variable_that_is_not_let_through_stays_unknown_to_a_connector() throws Exception {
        inTransaction(true, "orders.dead-letters", "order-3", "any");
        var config = Map.of(
                "connector.class", "org.apache.kafka.connect.file.FileStreamSinkConnector",
                "topics", "orders.dead-letters",
                "value.converter", "org.apache.kafka.connect.storage.StringConverter",
                "file", folder + "/${env:SECRET_OF_ANOTHER}");

        worker.put("/connectors/nosy/config", config);

        await().atMost(PATIENCE).until(() -> Files.exists(folder.resolve("${env:SECRET_OF_ANOTHER}")));
        assertThat(folder.resolve("not for connectors")).doesNotExist();
    }

    @Test
    void a_secret_is_shown_neither_by_the_worker_nor_in_its_log() throws Exception {
        var config = shipped(Path.of("sink", "history-audit.json"));
        config.put("connector.class", "org.apache.kafka.connect.file.FileStreamSinkConnector");
        config.put("file", folder.resolve("secret.txt").toString());
        worker.put("/connectors/secret/config", config);

        var shown = worker.get("/connectors/secret/config");

        assertThat(shown.path("azure.cosmos.account.key").asText()).isEqualTo("${env:COSMOS_KEY}");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(worker.taskStates("secret")).contains("RUNNING"));
        assertThat(worker.output()).noneMatch(line -> line.contains(SECRET));
    }

    private static void createSink(String name, Path shipped, Path file) throws IOException, InterruptedException {
        Files.createFile(file);
        var config = shipped(shipped);
        config.keySet().removeIf(key -> key.startsWith("azure."));
        config.put("connector.class", "org.apache.kafka.connect.file.FileStreamSinkConnector");
        config.put("tasks.max", "1");
        config.put("file", file.toString());
        var answer = worker.put("/connectors/" + name + "/config", config);
        assertThat(answer.path("name").asText()).as("answer: %s", answer).isEqualTo(name);
    }

    private static Map<String, String> shipped(Path file) {
        try {
            return JSON.convertValue(
                    JSON.readTree(file.toFile()).path("config"), new TypeReference<HashMap<String, String>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static NewTopic topic(String name) {
        return new NewTopic(name, 1, (short) 1);
    }

    private static void inTransaction(boolean commit, String topic, String key, String value) throws Exception {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "test");
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, key, value)).get();
            if (commit) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    private static List<ConsumerRecord<String, String>> read(String topic, int count) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            var records = new ArrayList<ConsumerRecord<String, String>>();
            await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                return records.size() >= count;
            });
            return records;
        }
    }

    private static String header(ConsumerRecord<String, String> record, String name) {
        return StreamSupport.stream(record.headers().headers(name).spliterator(), false)
                .map(header -> new String(header.value(), StandardCharsets.UTF_8))
                .findFirst()
                .orElse("");
    }
}
