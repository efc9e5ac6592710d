package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Reads and writes the documents in which a change feed processor stores its leases. Thread-safe.
 *
 * @param container of the leases; other processors may have theirs in it too
 * @param prefix begins the ids of this processor's documents
 * @param timeout of one request
 */
record LeaseContainer(CosmosAsyncContainer container, String prefix, Duration timeout) {
    private static final int PRECONDITION_FAILED = 412;

    /** Leases, markers and all other documents whose ids begin with the prefix. */
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

    /** Whether a replica owns any lease, whatever its prefix. */
    boolean isOwner(String replica, Duration limit) {
        var query = new SqlQuerySpec("SELECT c.id FROM c WHERE c.Owner = @owner", new SqlParameter("@owner", replica));
        return !container
                .queryItems(query, JsonNode.class)
                .collectList()
                .blockOptional(limit)
                .orElse(List.of())
                .isEmpty();
    }

    /** Removes a document, also if it has changed. */
    void remove(JsonNode document) {
        container.deleteItem(id(document), key(document)).block(timeout);
    }

    /** Removes this version only; false if the document has changed. */
    boolean removeUnchanged(JsonNode document) {
        return isDone(container.deleteItem(id(document), key(document), ifUnchanged(document)));
    }

    /** Replaces this version only; false if the document has changed. */
    boolean replaceUnchanged(JsonNode document) {
        return isDone(container.replaceItem(document, id(document), key(document), ifUnchanged(document)));
    }

    private boolean isDone(Mono<?> write) {
        try {
            write.block(timeout);
            return true;
        } catch (CosmosException e) {
            if (MissingDocument.isMeantBy(e) || e.getStatusCode() == PRECONDITION_FAILED) {
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
