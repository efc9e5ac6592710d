package io.sluice.provider.cosmos;

import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IncludedPath;
import com.azure.cosmos.models.IndexingMode;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import java.util.List;
import java.util.stream.Stream;

/**
 * How the container is created: the partition key and indexing policy every writer of the store expects, and time to
 * live switched on.
 */
final class ContainerDefinition {
    static final String PARTITION_KEY_PATH = "/instanceId";
    /** Nothing expires by itself; documents that carry a {@code ttl} do. */
    static final int TTL_ON = -1;

    static final List<String> INCLUDED = List.of(
            "/type/?",
            "/instanceId/?",
            "/dispatchSlot/?",
            "/visibleAt/?",
            "/enqueuedAt/?",
            "/lockedUntil/?",
            "/executionId/?",
            "/eventId/?",
            "/status/?",
            "/sessionId/?",
            "/ownerId/?",
            "/parentInstanceId/?",
            "/createdAt/?",
            "/customStatusVersion/?",
            "/docType/?",
            "/lockToken/?");
    static final List<String> EXCLUDED =
            List.of("/eventData/*", "/workItem/*", "/payload/*", "/output/*", "/customStatus/*", "/*");
    static final List<List<String>> COMPOSITE = List.of(
            List.of("/type", "/dispatchSlot", "/visibleAt", "/enqueuedAt"),
            List.of("/type", "/executionId", "/eventId"),
            List.of("/type", "/status"));

    private ContainerDefinition() {}

    static CosmosContainerProperties of(String name) {
        PartitionKeyDefinition partitionKey = new PartitionKeyDefinition()
                .setPaths(List.of(PARTITION_KEY_PATH))
                .setKind(PartitionKind.HASH)
                .setVersion(PartitionKeyDefinitionVersion.V2);
        return new CosmosContainerProperties(name, partitionKey)
                .setIndexingPolicy(indexingPolicy())
                .setDefaultTimeToLiveInSeconds(TTL_ON);
    }

    private static IndexingPolicy indexingPolicy() {
        return new IndexingPolicy()
                .setIndexingMode(IndexingMode.CONSISTENT)
                .setAutomatic(true)
                .setIncludedPaths(INCLUDED.stream().map(IncludedPath::new).toList())
                .setExcludedPaths(EXCLUDED.stream().map(ExcludedPath::new).toList())
                .setCompositeIndexes(COMPOSITE.stream()
                        .map(paths -> ascending(paths.stream()))
                        .toList());
    }

    private static List<CompositePath> ascending(Stream<String> paths) {
        return paths.map(path -> new CompositePath().setPath(path).setOrder(CompositePathSortOrder.ASCENDING))
                .toList();
    }
}
