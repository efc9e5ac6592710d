package io.sluice.emulator.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.query.condition.DocumentPath;
import io.sluice.emulator.store.computed.ComputedProperties;
import io.sluice.emulator.store.item.SystemProperties;
import io.sluice.emulator.store.key.PartitionKeyDefinition;
import io.sluice.emulator.store.policy.ContainerDefaults;
import io.sluice.emulator.store.policy.IndexingPolicy;
import io.sluice.emulator.store.policy.UniqueKeys;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a container, as a client sets them.
 *
 * @param id its name
 * @param partitionKey how it is partitioned; never changes
 * @param defaultTtlSeconds of its items, -1 for never by default, null when time to live is off
 * @param indexing what it indexes
 * @param uniqueKeys of its items; never change
 * @param computed what queries see of its items besides
 * @param body all of it as a client reads it: as it was sent, with the service's defaults
 * @param etag of this version
 */
public record ContainerProperties(
        String id,
        PartitionKeyDefinition partitionKey,
        @Nullable Integer defaultTtlSeconds,
        IndexingPolicy indexing,
        UniqueKeys uniqueKeys,
        ComputedProperties computed,
        ObjectNode body,
        String etag) {

    /** What a container holds, where a client asked for it; it comes back when the container is replaced. */
    private static final String STATISTICS = "statistics";

    private static final String INCLUDED = "includedPaths";
    private static final String EXCLUDED = "excludedPaths";
    private static final String ETAG = "/\"_etag\"/?";
    private static final Set<String> PATHS = Set.of(INCLUDED, EXCLUDED);
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
        kept.remove(STATISTICS);
        kept.set("indexingPolicy", completed(kept.path("indexingPolicy")));
        var partitionKey = PartitionKeyDefinition.parse(kept.get("partitionKey"));
        if (kept.get("partitionKey") instanceof ObjectNode described && described.has("version")) {
            described.put("version", partitionKey.version());
        }
        ContainerDefaults.addTo(kept);
        return new ContainerProperties(
                id,
                partitionKey,
                TimeToLive.defaultOf(kept),
                IndexingPolicy.parse(kept.path("indexingPolicy")),
                UniqueKeys.parse(kept.path("uniqueKeyPolicy")),
                ComputedProperties.parse(kept.get("computedProperties")),
                kept,
                etag);
    }

    /** Whether the policy indexes a path. A computed property is not indexed here, whatever the policy says. */
    public boolean isIndexed(DocumentPath path) {
        return !computed.isComputed(path.names()) && indexing.isIndexed(path.policyNames());
    }

    /**
     * Reads the body of a replacement. A conflict resolution policy that it omits stays.
     *
     * @throws StatusException 400 when the body is invalid, or changes what can't change
     */
    ContainerProperties replacedBy(ObjectNode replacement, String newEtag) {
        var given = replacement.deepCopy();
        if (ContainerDefaults.isOmitted(given, ContainerDefaults.CONFLICTS)) {
            given.set(ContainerDefaults.CONFLICTS, body.get(ContainerDefaults.CONFLICTS));
        }
        var replaced = parse(given, newEtag);
        if (!replaced.id.equals(id) || !replaced.partitionKey.equals(partitionKey)) {
            throw StatusException.badRequest("The id and the partition key of a container can't be changed.");
        }
        if (!replaced.uniqueKeys.equals(uniqueKeys)) {
            throw StatusException.badRequest("The unique keys of a container can't be changed.");
        }
        if (!replaced.conflicts().equals(conflicts())) {
            throw StatusException.badRequest("The conflict resolution policy of a container can't be changed.");
        }
        return replaced;
    }

    private JsonNode conflicts() {
        return body.path(ContainerDefaults.CONFLICTS);
    }

    /**
     * A policy as the service keeps it: with the defaults of what it does not say, and without ETags. One that indexes
     * nothing has no paths by default; one that indexes does so automatically, whatever it says.
     */
    private static ObjectNode completed(JsonNode given) {
        var policy = Json.readObject(DEFAULT_INDEXING.getBytes(StandardCharsets.UTF_8));
        boolean isNone = given.path("indexingMode").asText().equalsIgnoreCase("none");
        if (isNone || IndexingPolicy.excludesAll(given)) {
            policy.putArray(INCLUDED);
        }
        if (isNone) {
            policy.putArray(EXCLUDED);
        }
        boolean hasPaths =
                !given.path(INCLUDED).isEmpty() || !given.path(EXCLUDED).isEmpty();
        given.properties().stream()
                .filter(property -> !property.getValue().isNull())
                .filter(property -> hasPaths || !PATHS.contains(property.getKey()))
                .forEach(property -> policy.set(property.getKey(), property.getValue()));
        if (isNone) {
            return policy;
        }
        dropKinds(policy.path(INCLUDED));
        if (!(policy.get(EXCLUDED) instanceof ArrayNode excluded)) {
            throw StatusException.badRequest("The excluded paths of an indexing policy must be an array.");
        }
        excludeEtag(excluded);
        return policy.put("automatic", true);
    }

    /** Every index is a range over all types, so the service no longer keeps the kinds that old clients send. */
    private static void dropKinds(JsonNode paths) {
        for (var path : paths) {
            if (path instanceof ObjectNode described) {
                described.remove("indexes");
            }
        }
    }

    private static void excludeEtag(ArrayNode paths) {
        for (var path : paths) {
            if (path.path("path").asText().equals(ETAG)) {
                return;
            }
        }
        paths.addObject().put("path", ETAG);
    }
}
