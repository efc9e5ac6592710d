package io.sluice.provider.cosmos;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What lies in the container, read past the provider. Receipts and purge documents outlive what they are about, and are
 * counted apart.
 */
final class StoreContents {
    private static final Set<String> RECORDS = Set.of("receipt", "purge");

    private final CosmosStore store;

    StoreContents(CosmosStore store) {
        this.store = store;
    }

    /** Ids of all documents but records. */
    Set<String> documents() {
        Set<String> ids = new TreeSet<>();
        all(new CosmosQueryRequestOptions()).stream()
                .filter(StoreContents::isNoRecord)
                .forEach(document -> ids.add(document.path("id").asText()));
        return ids;
    }

    /** Documents of a partition but records. */
    List<ObjectNode> documentsOf(String instance) {
        return in(instance).stream().filter(StoreContents::isNoRecord).toList();
    }

    List<ObjectNode> receiptsOf(String instance) {
        return ofType(instance, "receipt");
    }

    List<ObjectNode> ofType(String instance, String type) {
        return in(instance).stream()
                .filter(document -> document.path("type").asText().equals(type))
                .toList();
    }

    private List<ObjectNode> in(String instance) {
        return all(new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instance)));
    }

    private List<ObjectNode> all(CosmosQueryRequestOptions options) {
        return Objects.requireNonNull(store.container()
                .queryItems("SELECT * FROM c", options, ObjectNode.class)
                .collectList()
                .block());
    }

    private static boolean isNoRecord(ObjectNode document) {
        return !RECORDS.contains(document.path("type").asText());
    }
}
