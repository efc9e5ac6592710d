package io.sluice.provider.cosmos;

import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.IndexingMode;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a container that exists differs from the one we would have created: each difference with what it costs and what
 * to do.
 */
final class ContainerDifferences {
    private static final String EVERYTHING = "/*";

    private final CosmosContainerProperties properties;
    private final List<String> found = new ArrayList<>();

    private ContainerDifferences(CosmosContainerProperties properties) {
        this.properties = properties;
    }

    /** None when it is as it should be. */
    static List<String> of(CosmosContainerProperties properties) {
        ContainerDifferences differences = new ContainerDifferences(properties);
        differences.partitionKey();
        differences.timeToLive();
        differences.indexing();
        return List.copyOf(differences.found);
    }

    private void partitionKey() {
        PartitionKeyDefinitionVersion version =
                properties.getPartitionKeyDefinition().getVersion();
        if (version != PartitionKeyDefinitionVersion.V2) {
            found.add(
                    "partition key: version 1, which tells instance ids apart by their first 101 bytes only; version 2"
                            + " is set when a container is created");
        }
    }

    private void timeToLive() {
        if (properties.getDefaultTimeToLiveInSeconds() == null) {
            found.add(
                    "time to live: off, so receipts never expire; set the container's defaultTtl to -1 (nothing expires by"
                            + " itself, only documents that carry a ttl)");
        }
    }

    private void indexing() {
        IndexingPolicy policy = properties.getIndexingPolicy();
        IndexingMode mode = policy.getIndexingMode();
        if (mode != IndexingMode.CONSISTENT) {
            found.add("indexing mode: " + mode + ", must be consistent: work is found by query, and would be "
                    + (mode == IndexingMode.NONE ? "searched by scanning everything" : "found late"));
            if (mode == IndexingMode.NONE) {
                return;
            }
        }
        if (Boolean.FALSE.equals(policy.isAutomatic())) {
            found.add(
                    "indexing: not automatic, so new documents are not indexed and never found; set automatic to true");
        }
        Paths paths = Paths.of(policy);
        for (String path : ContainerDefinition.INCLUDED) {
            if (!paths.isIndexed(path)) {
                found.add("indexing: " + path + " is not indexed, so queries by it scan; add it to includedPaths");
            }
        }
        for (String path : ContainerDefinition.EXCLUDED) {
            if (paths.isIndexed(path)) {
                found.add("indexing: " + path + " is indexed, so every write costs more than need be; add it to"
                        + " excludedPaths");
            }
        }
        Set<List<String>> composites = policy.getCompositeIndexes().stream()
                .map(index -> index.stream()
                        .map(path -> path.getOrder() == CompositePathSortOrder.DESCENDING
                                ? path.getPath() + " descending"
                                : path.getPath())
                        .toList())
                .collect(Collectors.toSet());
        for (List<String> composite : ContainerDefinition.COMPOSITE) {
            if (!composites.contains(composite)) {
                found.add("indexing: the composite index " + composite
                        + " is missing, so sorted queries cost more; add it");
            }
        }
    }

    /** What a policy indexes: the most precise path that fits decides, and an included one before an excluded one. */
    private record Paths(Set<String> included, Set<String> excluded) {
        static Paths of(IndexingPolicy policy) {
            return new Paths(
                    policy.getIncludedPaths().stream()
                            .map(path -> path.getPath())
                            .collect(Collectors.toSet()),
                    policy.getExcludedPaths().stream()
                            .map(path -> path.getPath())
                            .collect(Collectors.toSet()));
        }

        boolean isIndexed(String path) {
            String stem = path.substring(0, path.length() - 1);
            for (String fitting : List.of(stem + "?", stem + "*", EVERYTHING)) {
                if (included.contains(fitting)) {
                    return true;
                }
                if (excluded.contains(fitting)) {
                    return false;
                }
            }
            return false;
        }
    }
}
