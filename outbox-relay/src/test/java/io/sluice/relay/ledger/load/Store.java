package io.sluice.relay.ledger.load;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** The run's container as a stranger sees it, by the plain SDK. */
public final class Store implements AutoCloseable {
    private final CosmosStoreConfig config;
    private final CosmosClient client;

    /** Connects. */
    public Store(CosmosStoreConfig config) {
        this.config = config;
        this.client = config.clientBuilder().buildClient();
    }

    private CosmosContainer container() {
        return client.getDatabase(config.database()).getContainer(config.container());
    }

    private static List<JsonNode> query(CosmosContainer container, String text) {
        return StreamSupport.stream(
                        container
                                .queryItems(text, new CosmosQueryRequestOptions(), JsonNode.class)
                                .spliterator(),
                        false)
                .toList();
    }

    /** How many documents of a type there are that fit a condition on {@code c}. */
    public long count(String type, String condition) {
        return query(container(), "SELECT VALUE COUNT(1) FROM c WHERE c.type = '" + type + "' AND " + condition)
                .stream()
                .mapToLong(JsonNode::asLong)
                .sum();
    }

    /** How many documents there are of all types. */
    public long documents() {
        return query(container(), "SELECT VALUE COUNT(1) FROM c").stream()
                .mapToLong(JsonNode::asLong)
                .sum();
    }

    /** Every history, each in order. */
    public Map<String, List<HistoryEvent>> histories() {
        Map<String, List<HistoryEvent>> histories = new HashMap<>();
        for (var row : query(container(), "SELECT c.instanceId, c.eventData FROM c WHERE c.type = 'history'")) {
            histories
                    .computeIfAbsent(row.path("instanceId").asText(), instance -> new ArrayList<>())
                    .add(HistoryJson.decode(row.path("eventData").asText()));
        }
        histories
                .values()
                .forEach(history -> history.sort(
                        Comparator.comparingLong(HistoryEvent::executionId).thenComparingLong(HistoryEvent::eventId)));
        return histories;
    }

    /** Creates documents of one instance in one transaction; returns its status. */
    public int create(String instance, List<? extends JsonNode> documents) {
        var batch = CosmosBatch.createCosmosBatch(new PartitionKey(instance));
        documents.forEach(batch::createItemOperation);
        return container().executeCosmosBatch(batch).getStatusCode();
    }

    @Override
    public void close() {
        client.close();
    }
}
