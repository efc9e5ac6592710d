package io.sluice.emulator.http.dataplane;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.store.ContainerProperties;
import java.util.Base64;

/** Which indexes the filter of a query uses, and which it could use if the container's policy had them. */
final class IndexMetrics {
    private IndexMetrics() {}

    /**
     * The header's value: JSON in base 64, as SDKs decode it.
     *
     * @param ofPartitionKey whether the request names a partition key, which is found by an index too
     */
    static String of(CosmosQuery query, ContainerProperties container, boolean ofPartitionKey) {
        var policy = container.indexing();
        var metrics = Json.object();
        var utilized = metrics.putArray("UtilizedSingleIndexes");
        var potential = metrics.putArray("PotentialSingleIndexes");
        metrics.putArray("UtilizedCompositeIndexes");
        metrics.putArray("PotentialCompositeIndexes");
        query.conditions().stream()
                .map(condition -> condition.path().policyNames())
                .distinct()
                .forEach(path -> add(policy.isIndexed(path) ? utilized : potential, "/" + String.join("/", path)));
        if (ofPartitionKey) {
            container.partitionKey().paths().forEach(path -> add(utilized, "/" + String.join("/", path)));
        }
        return Base64.getEncoder().encodeToString(Json.bytes(metrics));
    }

    private static void add(ArrayNode indexes, String path) {
        indexes.addObject()
                .put("FilterExpression", "")
                .put("IndexSpec", path + "/?")
                .put("FilterPreciseSet", true)
                .put("IndexPreciseSet", true)
                .put("IndexImpactScore", "High");
    }
}
