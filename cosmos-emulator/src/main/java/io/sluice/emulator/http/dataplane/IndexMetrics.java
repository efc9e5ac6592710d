package io.sluice.emulator.http.dataplane;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.store.ContainerProperties;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Which indexes a query uses, and which it could use if the container's policy had them. Composite ones are left out.
 *
 * @param utilized the paths of those that it uses, as policies write them
 * @param potential the paths of those that it could use
 */
record IndexMetrics(List<String> utilized, List<String> potential) {
    /** @param ofPartitionKey whether the request names a partition key, which is found by an index too */
    static IndexMetrics of(CosmosQuery query, ContainerProperties container, boolean ofPartitionKey) {
        var filtered = query.conditions().stream()
                .map(condition -> condition.path().policyNames())
                .distinct()
                .toList();
        var policy = container.indexing();
        var keys = ofPartitionKey ? container.partitionKey().paths() : List.<List<String>>of();
        var utilized = Stream.concat(filtered.stream().filter(policy::isIndexed), keys.stream());
        var potential = filtered.stream().filter(path -> !policy.isIndexed(path));
        return new IndexMetrics(
                utilized.map(IndexMetrics::spec).distinct().toList(),
                potential.map(IndexMetrics::spec).toList());
    }

    private static String spec(List<String> path) {
        return "/" + String.join("/", path) + "/?";
    }

    /** The header's value for most SDKs: JSON in base 64. */
    String firstVersion() {
        var metrics = Json.object();
        utilized.forEach(add(metrics.putArray("UtilizedSingleIndexes")));
        potential.forEach(add(metrics.putArray("PotentialSingleIndexes")));
        metrics.putArray("UtilizedCompositeIndexes");
        metrics.putArray("PotentialCompositeIndexes");
        return Base64.getEncoder().encodeToString(Json.bytes(metrics));
    }

    private static Consumer<String> add(ArrayNode indexes) {
        return spec -> indexes.addObject()
                .put("FilterExpression", "")
                .put("IndexSpec", spec)
                .put("FilterPreciseSet", true)
                .put("IndexPreciseSet", true)
                .put("IndexImpactScore", "High");
    }

    /** The header's value for the SDKs for .NET and JavaScript: JSON with escapes as in a URL, a space too. */
    String secondVersion() {
        var metrics = Json.object();
        var used = metrics.putObject("UtilizedIndexes");
        var singles = used.putArray("SingleIndexes");
        utilized.forEach(spec -> singles.addObject().put("IndexSpec", spec));
        used.putArray("CompositeIndexes");
        var useful = metrics.putObject("PotentialIndexes");
        var missing = useful.putArray("SingleIndexes");
        potential.forEach(spec -> missing.addObject().put("IndexSpec", spec).put("IndexImpactScore", "High"));
        useful.putArray("CompositeIndexes");
        return URLEncoder.encode(metrics.toString(), StandardCharsets.UTF_8).replace("+", "%20");
    }
}
