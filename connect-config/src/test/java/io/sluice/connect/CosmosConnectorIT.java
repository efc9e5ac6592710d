package io.sluice.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The shipped configurations with the Cosmos connector itself, as soon as its jar lies in {@code plugins}. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CosmosConnectorIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path PLUGINS = Path.of("plugins");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    static Path folder;

    private static CosmosEmulator emulator;
    private static CosmosClient cosmos;
    private static EmbeddedKafka kafka;
    private static TestTopics topics;
    private static ConnectWorker worker;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(
                hasConnector(),
                "no jar of azure-cosmos-kafka-connect in connect-config/plugins (its README says how to fetch it)");
        emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
        cosmos = new CosmosClientBuilder()
                .endpoint(emulator.endpoint())
                .key(emulator.key())
                .gatewayMode()
                .buildClient();
        cosmos.createDatabase("duroxide");
        var database = cosmos.getDatabase("duroxide");
        database.createContainer("duroxide", "/instanceId");
        database.createContainer("sluice-audit", "/instance_id");
        database.createContainer("sluice-dead-letters", "/id");
        database.createContainer("sluice-status", "/id");
        database.createContainer("sluice-lifecycle", "/instance");
        kafka = EmbeddedKafka.start();
        topics = new TestTopics(kafka.bootstrapServers());
        topics.createOrders();
        topics.create("orders.cosmos.metadata");
        worker = ConnectWorker.start(
                folder,
                kafka.bootstrapServers(),
                Map.of(
                        "COSMOS_KEY", emulator.key(),
                        "COSMOS_ENDPOINT", emulator.endpoint(),
                        "COSMOS_TENANT_ID", "contoso.onmicrosoft.com",
                        "COSMOS_CLIENT_ID", "a-client",
                        "COSMOS_CLIENT_SECRET", "a-secret",
                        "JAVA_TOOL_OPTIONS", "-DCOSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED=true"),
                Map.of("plugin.path", PLUGINS.toAbsolutePath().toString()));
    }

    @AfterAll
    static void stop() {
        if (worker != null) {
            worker.close();
            kafka.close();
            cosmos.close();
            emulator.close();
        }
    }

    /** Connect passes over keys that a connector does not declare: a misspelt one would have no effect. */
    @ParameterizedTest
    @MethodSource("io.sluice.connect.Shipped#all")
    void the_connector_finds_no_error_in_a_shipped_file_and_knows_its_keys(Path file) throws Exception {
        var config = Shipped.config(file);

        var validation = worker.put("/connector-plugins/" + config.get("connector.class") + "/config/validate", config);

        assertThat(validation.path("error_count").asInt()).as("%s", validation).isZero();
        assertThat(config.keySet())
                .filteredOn(key -> key.startsWith("azure."))
                .isSubsetOf(validation.path("configs").findValues("definition").stream()
                        .map(definition -> definition.path("name").asText())
                        .toList());
    }

    @Test
    void every_document_arrives_under_its_instance() throws Exception {
        var container = cosmos.getDatabase("duroxide").getContainer("duroxide");
        container.createItem(JSON.createObjectNode().put("id", "history:1").put("instanceId", "order-1"));
        create("documents", Path.of("source", "cosmos-documents.json"));

        assertThat(topics.read("orders.cosmos.documents", 1)).singleElement().satisfies(record -> {
            assertThat(record.key()).isEqualTo("order-1");
            assertThat(JSON.readTree(record.value()).path("id").asText()).isEqualTo("history:1");
        });
    }

    @Test
    void every_event_of_the_history_is_written_to_the_audit_once() throws Exception {
        topics.produce("orders.history", "order-1", "{\"instance_id\":\"order-1\",\"event_id\":1}");
        create("audit", Path.of("sink", "history-audit.json"));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(itemsOf("sluice-audit"))
                        .as("tasks: %s", worker.taskStates("audit"))
                        .singleElement()
                        .satisfies(item ->
                                assertThat(item.path("event_id").asInt()).isEqualTo(1)));
    }

    @Test
    void the_read_model_holds_the_last_state_of_each_instance_and_what_was_deleted_stops_nothing() throws Exception {
        topics.produce("orders.status", "order-4", Values.status("order-4", InstanceStatus.State.RUNNING));
        topics.produce("orders.status", "order-5", null);
        topics.produce("orders.status", "order-4", Values.status("order-4", InstanceStatus.State.COMPLETED));
        create("status", Path.of("sink", "status.json"));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(itemsOf("sluice-status"))
                        .as("tasks: %s", worker.taskStates("status"))
                        .singleElement()
                        .satisfies(item -> {
                            assertThat(item.path("id").asText()).isEqualTo("order-4");
                            assertThat(item.path("state").asText()).isEqualTo("COMPLETED");
                        }));
    }

    @Test
    void a_fact_that_comes_twice_is_kept_once() throws Exception {
        topics.produce("orders.lifecycle", "order-6", Values.created("order-6"));
        topics.produce("orders.lifecycle", "order-6", Values.created("order-6"));
        topics.produce("orders.lifecycle", "order-7", Values.created("order-7"));
        create("lifecycle", Path.of("sink", "lifecycle.json"));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(itemsOf("sluice-lifecycle"))
                        .as("tasks: %s", worker.taskStates("lifecycle"))
                        .extracting(item -> item.path("instance").asText())
                        .containsExactlyInAnyOrder("order-6", "order-7"));
    }

    @Test
    void a_dead_letter_is_kept_whatever_its_bytes_are() throws Exception {
        topics.produce("orders.dead-letters", "order-2", "{broken");
        create("letters", Path.of("sink", "dead-letters.json"));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(itemsOf("sluice-dead-letters"))
                        .as("tasks: %s", worker.taskStates("letters"))
                        .singleElement()
                        .satisfies(item ->
                                assertThat(item.path("original").asText()).isEqualTo("{broken")));
    }

    private static boolean hasConnector() throws IOException {
        try (var files = Files.list(PLUGINS)) {
            return files.anyMatch(file -> file.getFileName().toString().endsWith(".jar"));
        }
    }

    /** As shipped, but through the gateway: the emulator has no direct mode. */
    private static void create(String name, Path file) throws IOException, InterruptedException {
        var config = Shipped.config(file);
        config.put("name", name);
        config.put("azure.cosmos.mode.gateway", "true");
        var answer = worker.put("/connectors/" + name + "/config", config);
        assertThat(answer.path("name").asText()).as("answer: %s", answer).isEqualTo(name);
    }

    private static List<JsonNode> itemsOf(String container) {
        return cosmos
                .getDatabase("duroxide")
                .getContainer(container)
                .queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
                .stream()
                .toList();
    }
}
