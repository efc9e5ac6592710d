package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Reads and writes what a change feed processor keeps of its leases. Thread-safe.
 *
 * @param container of the leases, and perhaps of other processors' too
 * @param prefix begins the ids of this processor's documents
 * @param timeout of one request
 */
record LeaseContainer(CosmosAsyncContainer container, String prefix, Duration timeout) {
    private static final int NOT_FOUND = 404;
    private static final int PRECONDITION_FAILED = 412;

    /** Leases, markers and whatever else begins so. */
    List<JsonNode> documents() {
        return container
                .queryItems("SELECT * FROM c", JsonNode.class)
                .collectList()
                .blockOptional(timeout)
                .orElse(List.of())
                .stream()
                .filter(document -> id(document).startsWith(prefix))
                .toList();
    }

    /** Removes a document, whatever it has become. */
    void remove(JsonNode document) {
        container.deleteItem(id(document), key(document)).block(timeout);
    }

    /** Removes just this version; false when somebody else was faster. */
    boolean removeUnchanged(JsonNode document) {
        return isDone(container.deleteItem(id(document), key(document), ifUnchanged(document)));
    }

    /** Replaces just this version; false when somebody else was faster. */
    boolean replaceUnchanged(JsonNode document) {
        return isDone(container.replaceItem(document, id(document), key(document), ifUnchanged(document)));
    }

    private boolean isDone(Mono<?> write) {
        try {
            write.block(timeout);
            return true;
        } catch (CosmosException e) {
            if (e.getStatusCode() == NOT_FOUND || e.getStatusCode() == PRECONDITION_FAILED) {
                return false;
            }
            throw e;
        }
    }

    private static CosmosItemRequestOptions ifUnchanged(JsonNode document) {
        return new CosmosItemRequestOptions()
                .setIfMatchETag(document.path("_etag").asText());
    }

    private static PartitionKey key(JsonNode document) {
        return new PartitionKey(id(document));
    }

    private static String id(JsonNode document) {
        return document.path("id").asText();
    }
}
