package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.store.key.PartitionKeyDefinition;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a container, as a client sets them.
 *
 * @param id its name
 * @param partitionKey how it is partitioned; never changes
 * @param defaultTtlSeconds of its items, -1 for never by default, null when time to live is off
 * @param indexing what it indexes
 * @param uniqueKeys of its items; never change
 * @param body all of it as the client sent it, indexing policy included
 * @param etag of this version
 */
public record ContainerProperties(
        String id,
        PartitionKeyDefinition partitionKey,
        @Nullable Integer defaultTtlSeconds,
        IndexingPolicy indexing,
        UniqueKeys uniqueKeys,
        ObjectNode body,
        String etag) {

    private static final String DEFAULT_INDEXING =
            "{\"indexingMode\":\"consistent\",\"automatic\":true,\"includedPaths\":[{\"path\":\"/*\"}],"
                    + "\"excludedPaths\":[{\"path\":\"/\\\"_etag\\\"/?\"}]}";

    /**
     * Reads the body of a container's creation or replacement.
     *
     * @throws StatusException 400 when the id, the partition key or the time to live is invalid
     */
    static ContainerProperties parse(ObjectNode body, String etag) {
        var id = ItemRules.idOf(body);
        var kept = body.deepCopy();
        SystemProperties.removeFrom(kept);
        if (!kept.path("indexingPolicy").isObject()) {
            kept.set("indexingPolicy", Json.readObject(DEFAULT_INDEXING.getBytes(StandardCharsets.UTF_8)));
        }
        var partitionKey = PartitionKeyDefinition.parse(kept.get("partitionKey"));
        if (kept.get("partitionKey") instanceof ObjectNode described && described.has("version")) {
            described.put("version", partitionKey.version());
        }
        return new ContainerProperties(
                id,
                partitionKey,
                TimeToLive.defaultOf(kept),
                IndexingPolicy.parse(kept.path("indexingPolicy")),
                UniqueKeys.parse(kept.path("uniqueKeyPolicy")),
                kept,
                etag);
    }
}
