package io.sluice.relay;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.PhysicalPartitions;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.cosmos.Throughput;
import io.sluice.testkit.CosmosAccount;
import io.sluice.testkit.KafkaCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A container as a runtime would fill it, by the plain SDK. */
public final class TestStore implements AutoCloseable {
    private static final int TOO_LARGE = 413;
    private static final int MAX_DOCUMENT_BYTES = 2 * 1024 * 1024;
    /** What the service adds to a document counts as well. */
    private static final int SYSTEM_PROPERTIES_BYTES = 512;

    private final CosmosStoreConfig config;
    private final CosmosClient client;
    private final CosmosContainer container;

    private TestStore(CosmosStoreConfig config, CosmosClient client) {
        this.config = config;
        this.client = client;
        this.container = client.getDatabase(config.database()).getContainer(config.container());
    }

    public static TestStore provisioned(CosmosAccount account) {
        return provisioned(account, config(account));
    }

    public static TestStore provisioned(CosmosAccount account, Throughput throughput) {
        return provisioned(account, config(account).withThroughput(throughput));
    }

    /** Settings of a relay for this store, which creates topics of two partitions. */
    Map<String, String> relayEnvironment(KafkaCluster kafka) {
        return RelayEnvironment.of(
                config,
                kafka.bootstrapServers(),
                kafka.prefix(),
                Map.of("SLUICE_TOPIC_PARTITIONS", "2", "SLUICE_TOPIC_REPLICATION", "1"));
    }

    private static CosmosStoreConfig config(CosmosAccount account) {
        return new CosmosStoreConfig(account.endpoint(), account.key(), account.database(), account.container());
    }

    private static TestStore provisioned(CosmosAccount account, CosmosStoreConfig config) {
        CosmosStore.provision(config);
        account.emulator().ifPresent(emulator -> halve(emulator.partitions(), config));
        return new TestStore(config, account.clientBuilder().buildClient());
    }

    /** Two physical partitions are several, and a relay reads and looks after half as many ranges. */
    private static void halve(PhysicalPartitions partitions, CosmosStoreConfig config) {
        var ranges = partitions.of(config.database(), config.container());
        for (int i = 0; i + 1 < ranges.size(); i += 2) {
            partitions.merge(
                    config.database(),
                    config.container(),
                    ranges.get(i).id(),
                    ranges.get(i + 1).id());
        }
    }

    /** In an account of the test's own. */
    static TestStore provisioned(CosmosStoreConfig config) {
        CosmosStore.provision(config);
        var builder = new CosmosClientBuilder().endpoint(config.endpoint()).key(config.key());
        return new TestStore(
                config,
                builder.gatewayMode().contentResponseOnWriteEnabled(true).buildClient());
    }

    public CosmosStoreConfig config() {
        return config;
    }

    /** Key of an intent as Sluice forms it. */
    static String key(String source, int position) {
        return TestDocuments.key(source, position);
    }

    /** One turn's intents from a source, in one batch, left to the relay. */
    public long writeIntents(String source, String target, int from, int count) {
        long now = System.currentTimeMillis();
        writeIntents(source, target, from, count, now);
        return now;
    }

    public void writeIntents(String source, String target, int from, int count, long deliverAfterMillis) {
        var batch = CosmosBatch.createCosmosBatch(new PartitionKey(source));
        for (int position = from; position < from + count; position++) {
            batch.createItemOperation(intent(source, target, position, deliverAfterMillis));
        }
        write(batch);
    }

    /** Messages of an instance, one batch, visible from a time on. */
    void writeMessages(String instance, int count, long visibleAtMillis) {
        var batch = CosmosBatch.createCosmosBatch(new PartitionKey(instance));
        for (int i = 0; i < count; i++) {
            batch.createItemOperation(TestDocuments.message(instance, "message-" + i, visibleAtMillis));
        }
        write(batch);
    }

    private void write(CosmosBatch batch) {
        var answer = container.executeCosmosBatch(batch);
        if (!answer.isSuccessStatusCode()) {
            throw new AssertionError("a batch was not written: " + answer.getStatusCode());
        }
    }

    /** Any document, into its instance's partition. */
    public void write(ObjectNode document) {
        container.createItem(
                document, new PartitionKey(document.path("instanceId").asText()), new CosmosItemRequestOptions());
    }

    /**
     * Intents of one turn to a target each, whose payloads have about so many characters; one by one, since a batch has
     * no room for them.
     */
    void writeLargeIntents(String source, int count, int chars) {
        long now = System.currentTimeMillis();
        for (int position = 0; position < count; position++) {
            var intent = intent(source, source + "-child-" + position, position, System.currentTimeMillis());
            var payload = intent.path("payload")
                    .asText()
                    .replace("\"reason\\\":\\\"", "\"reason\\\":\\\"" + "x".repeat(chars));
            container.createItem(
                    intent.put("payload", payload).put("createdAt", now),
                    new PartitionKey(source),
                    new CosmosItemRequestOptions());
        }
    }

    /** How many documents of a type the store has. */
    long count(String type) {
        return container
                .queryItems(
                        "SELECT VALUE COUNT(1) FROM c WHERE c.type = '" + type + "'",
                        new CosmosQueryRequestOptions(),
                        Long.class)
                .stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** An intent as a relay beside Rust leaves it when it has claimed it. */
    void writeClaimed(String source, String target) {
        var intent = intent(source, target, 1, System.currentTimeMillis()).put("status", "queued");
        container.createItem(intent, new PartitionKey(source), new CosmosItemRequestOptions());
    }

    /** An intent that fails permanently from that time on. */
    void writeWithDeadline(String source, String target, long deliverAfterMillis, long deadlineMillis) {
        var intent = intent(source, target, 1, deliverAfterMillis);
        intent.putObject("dispatch").put("deadline", deadlineMillis);
        container.createItem(intent, new PartitionKey(source), new CosmosItemRequestOptions());
    }

    /**
     * An intent that no store ever takes, in a document as large as the service lets one be: not even a count of tries
     * fits into it.
     */
    void writeGiantPoison(String source, String target) {
        var intent = intent(source, target, 1, System.currentTimeMillis());
        var payload = intent.path("payload").asText().replace("\"instanceId\":\"" + target, "\"instanceId\":\"x");
        createAsLargeAsCanBe(source, intent, payload, "reason\\\":\\\"");
    }

    /** Fills a field behind a text until the service takes hardly a byte more. */
    private void createAsLargeAsCanBe(String instance, ObjectNode document, String field, String before) {
        var name = document.has("payload") ? "payload" : "eventData";
        document.put(name, field);
        int fill = MAX_DOCUMENT_BYTES - document.toString().length();
        for (int tried = SYSTEM_PROPERTIES_BYTES / 4; tried <= SYSTEM_PROPERTIES_BYTES; tried += 32) {
            document.put(name, field.replace(before, before + "x".repeat(fill - tried)));
            try {
                container.createItem(document, new PartitionKey(instance), new CosmosItemRequestOptions());
                return;
            } catch (CosmosException e) {
                if (e.getStatusCode() != TOO_LARGE) {
                    throw e;
                }
            }
        }
        throw new AssertionError("the service takes no document of nearly 2 MB");
    }

    /** An event whose document is as large as documents may be; returns the event as stored. */
    String writeGiantEvent(String instance, int event) {
        var document = event(instance, event);
        createAsLargeAsCanBe(instance, document, document.path("eventData").asText(), "\"data\":\"d");
        return document.path("eventData").asText();
    }

    /** An intent that no store ever takes: its document belongs to another instance than it says. */
    void writePoison(String source, String target, int position) {
        writePoison(source, target, position, System.currentTimeMillis());
    }

    void writePoison(String source, String target, int position, long deliverAfterMillis) {
        var poison = intent(source, target, position, deliverAfterMillis);
        poison.put(
                "payload", poison.path("payload").asText().replace("\"instanceId\":\"" + target, "\"instanceId\":\"x"));
        container.createItem(poison, new PartitionKey(source), new CosmosItemRequestOptions());
    }

    /** One that the store refused once, and that is to be tried again then. */
    void writeParked(String source, String target, int position, long untilMillis) {
        var parked = intent(source, target, position, System.currentTimeMillis());
        parked.put("attemptCount", 1).put("nextAttemptAt", untilMillis).put("lastError", "refused");
        container.createItem(parked, new PartitionKey(source), new CosmosItemRequestOptions());
    }

    /** Dead letters with a text of this size in each, one batch; nobody can tell them from those of a relay. */
    void writeFailed(String source, int from, int count, int size) {
        writeFailed(source, from, count, size, null);
    }

    /** The same; from the deadline on (milliseconds) they can't be retried. */
    void writeFailed(String source, int from, int count, int size, @Nullable Long deadline) {
        var batch = CosmosBatch.createCosmosBatch(new PartitionKey(source));
        for (int position = from; position < from + count; position++) {
            var failed = intent(source, "child", position, 0);
            var payload = failed.path("payload")
                    .asText()
                    .replace("\"reason\\\":\\\"", "\"reason\\\":\\\"" + "x".repeat(size));
            failed.put("payload", payload)
                    .put("status", "failed")
                    .put("outcome", "refused")
                    .put("failure", "refused 10 times")
                    .put("failedAt", failed.path("createdAt").asLong() + position);
            if (deadline != null) {
                failed.putObject("dispatch").put("deadline", deadline.longValue());
            }
            batch.createItemOperation(failed);
        }
        write(batch);
    }

    /** Every document as it is stored, ETags and all. */
    Set<JsonNode> everything() {
        return StreamSupport.stream(
                        container
                                .queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), JsonNode.class)
                                .spliterator(),
                        false)
                .collect(Collectors.toSet());
    }

    /** An intent that belongs to a trace. */
    void writeTraced(String source, String target, int position, String traceparent) {
        var traced = intent(source, target, position, System.currentTimeMillis());
        traced.putObject("dispatch").put("traceparent", traceparent);
        container.createItem(traced, new PartitionKey(source), new CosmosItemRequestOptions());
    }

    /** An instance that has ended, with its events; returns the ids they have in Kafka. */
    List<String> writeLife(String instance, int events) {
        var ids = writeHistory(instance, 1, events);
        container.createItem(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("id", instance + ":instance")
                        .put("instanceId", instance)
                        .put("type", "instance")
                        .put("orchestrationName", "Order")
                        .put("orchestrationVersion", "1.0.0")
                        .put("currentExecutionId", 1)
                        .put("status", "Completed")
                        .put("createdAt", 1)
                        .put("updatedAt", 1),
                new PartitionKey(instance),
                new CosmosItemRequestOptions());
        return ids;
    }

    private static ObjectNode intent(String source, String target, int position, long deliverAfterMillis) {
        return TestDocuments.cancellation(source, target, position, System.currentTimeMillis())
                .putNull("lastAttemptAt")
                .put("deliverAfter", deliverAfterMillis);
    }

    /** Events of an instance, one batch; returns the ids they have in Kafka. */
    public List<String> writeHistory(String instance, int from, int count) {
        var batch = CosmosBatch.createCosmosBatch(new PartitionKey(instance));
        var ids = new ArrayList<String>();
        for (int event = from; event < from + count; event++) {
            batch.createItemOperation(event(instance, event));
            ids.add(instance + ":1:" + event + ":5");
        }
        write(batch);
        return ids;
    }

    private static ObjectNode event(String instance, int event) {
        var json = "{\"event_id\":" + event + ",\"source_event_id\":null,\"instance_id\":\"" + instance
                + "\",\"execution_id\":1,\"timestamp_ms\":5,\"duroxide_version\":\"0.1.32\","
                + "\"type\":\"ExternalEvent\",\"name\":\"n\",\"data\":\"d\"}";
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", instance + ":history:1:" + event)
                .put("instanceId", instance)
                .put("type", "history")
                .put("executionId", 1)
                .put("eventId", event)
                .put("eventData", json);
    }

    /** All documents of a type in an instance's partition. */
    List<JsonNode> documents(String instance, String type) {
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instance));
        return StreamSupport.stream(
                        container
                                .queryItems("SELECT * FROM c WHERE c.type = '" + type + "'", options, JsonNode.class)
                                .spliterator(),
                        false)
                .toList();
    }

    List<String> ids(String instance, String type) {
        return documents(instance, type).stream()
                .map(document -> document.path("id").asText())
                .toList();
    }

    /** As containers of other writers have it. */
    void switchExpiryOff() {
        var properties = container.read().getProperties();
        properties.setDefaultTimeToLiveInSeconds(null);
        container.replace(properties);
    }

    /** The store's time of the newest history document. */
    Instant newestSecond() {
        return container
                .queryItems(
                        "SELECT VALUE MAX(c._ts) FROM c WHERE c.type = 'history'",
                        new CosmosQueryRequestOptions(),
                        Long.class)
                .stream()
                .map(Instant::ofEpochSecond)
                .findFirst()
                .orElseThrow();
    }

    /** A runtime takes everything out of the instance's queue. */
    void consumeQueue(String instance) {
        deleteAll(instance, "orch_queue");
    }

    /** As a purge by a runtime that knows of no relay. */
    void deleteHistory(String instance) {
        deleteAll(instance, "history");
    }

    private void deleteAll(String instance, String type) {
        for (var id : ids(instance, type)) {
            container.deleteItem(id, new PartitionKey(instance), new CosmosItemRequestOptions());
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
