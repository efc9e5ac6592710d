package io.sluice.accountkit.site;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/** A container by single bounded requests, each answered with what it cost. Thread-safe. */
public final class Documents {
    private static final String KEY = "instanceId";
    /** What a document of these has beside its payload, the service's own properties apart. */
    private static final int FRAME = 80;

    private final CosmosAsyncContainer container;

    /** Of a container that is partitioned as stores are. */
    public Documents(CosmosAsyncContainer container) {
        this.container = container;
    }

    /** The container. */
    public CosmosAsyncContainer container() {
        return container;
    }

    /** A small document. */
    public static ObjectNode small(String key, String id) {
        return JsonNodeFactory.instance.objectNode().put("id", id).put(KEY, key).put("type", "kit");
    }

    /** A document of about so many bytes, the service's own properties apart. */
    public static ObjectNode sized(String key, String id, int bytes) {
        return small(key, id).put("payload", "x".repeat(Math.max(0, bytes - FRAME - key.length() - id.length())));
    }

    /** Writes a new document. */
    public Answer create(ObjectNode document) {
        return Answer.to(container.createItem(document, keyOf(document), new CosmosItemRequestOptions()));
    }

    /** Writes new documents of one key together, which are needed for what follows. */
    public void createAll(List<ObjectNode> documents) {
        CosmosBatch batch = CosmosBatch.createCosmosBatch(keyOf(documents.get(0)));
        documents.forEach(batch::createItemOperation);
        Answer answer = batch(batch).answer();
        if (!answer.isDone()) {
            throw new RefusedException("the creation of documents", answer);
        }
    }

    /**
     * Creates documents of one key, numbered from 0.
     *
     * @param prefix of their ids
     * @param bytes of each, as {@link #sized} has it
     */
    public void createNumbered(String key, String prefix, int count, int bytes) {
        createAll(IntStream.range(0, count)
                .mapToObj(i -> sized(key, prefix + i, bytes))
                .toList());
    }

    /** Writes a document, whether or not it exists. */
    public Answer upsert(ObjectNode document) {
        return Answer.to(container.upsertItem(document, keyOf(document), new CosmosItemRequestOptions()));
    }

    /** Writes a document that exists. */
    public Answer replace(ObjectNode document) {
        return Answer.to(container.replaceItem(
                document, document.path("id").asText(), keyOf(document), new CosmosItemRequestOptions()));
    }

    /** Removes a document. */
    public Answer delete(String key, String id) {
        return Answer.to(container.deleteItem(id, new PartitionKey(key)));
    }

    /** Point read. */
    public Answer read(String key, String id) {
        return Answer.to(container.readItem(id, new PartitionKey(key), JsonNode.class));
    }

    /** Adds one to a number in a document. */
    public Answer increment(String key, String id, String field) {
        return Answer.to(container.patchItem(
                id, new PartitionKey(key), CosmosPatchOperations.create().increment("/" + field, 1L), JsonNode.class));
    }

    /** One transactional batch. */
    public BatchAnswer batch(CosmosBatch batch) {
        try {
            return BatchAnswer.of(Calls.await(container.executeCosmosBatch(batch)));
        } catch (CosmosException e) {
            return BatchAnswer.of(e);
        }
    }

    /**
     * The first page of a query of one partition key.
     *
     * @throws CosmosException when it is refused
     */
    public Page query(String key, String text, SqlParameter... parameters) {
        CosmosQueryRequestOptions options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(key));
        return first(container
                .queryItems(new SqlQuerySpec(text, parameters), options, JsonNode.class)
                .byPage(1_000)
                .next()
                .map(Page::of));
    }

    private static Page first(Mono<Page> page) {
        return Calls.await(page);
    }

    private static PartitionKey keyOf(ObjectNode document) {
        return new PartitionKey(document.path(KEY).asText());
    }
}
