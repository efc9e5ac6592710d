package io.sluice.relay.cli;

import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The containers that the Kafka Connect sinks of connect-config write to; the Azure Cosmos connector creates none. */
final class SinkContainers {
    /** The path of the partition key by container, as the sinks' values have it. */
    static final Map<String, String> PARTITION_KEYS = Map.of(
            "sluice-audit", "/instance_id",
            "sluice-dead-letters", "/id",
            "sluice-lifecycle", "/instance",
            "sluice-status", "/id");

    private SinkContainers() {}

    /**
     * Creates missing containers in the store's database, which must exist; existing ones stay unchanged.
     *
     * @throws PrerequisiteException if one can't be created, or naming every one that has another partition key
     */
    static void create(CosmosStoreConfig config) {
        var faults = new ArrayList<String>();
        try (var client = config.clientBuilder().buildClient()) {
            var database = client.getDatabase(config.database());
            PARTITION_KEYS.forEach((name, path) -> {
                var paths = pathsOf(database, name, path);
                if (!paths.equals(List.of(path))) {
                    faults.add("container " + name + " must be partitioned by " + path + " for the sink, was " + paths
                            + ": delete it and run provision, or name another container in the sink's file");
                }
            });
        } catch (CosmosException e) {
            throw new PrerequisiteException(
                    "can't create the containers of the sinks at " + config.endpoint() + ": " + FailureReason.of(e), e);
        }
        if (!faults.isEmpty()) {
            throw PrerequisiteException.of(faults);
        }
    }

    private static List<String> pathsOf(CosmosDatabase database, String name, String path) {
        // Version 2: instance ids may be longer than the 101 bytes that partition keys of version 1 may have.
        var key = new PartitionKeyDefinition()
                .setPaths(List.of(path))
                .setKind(PartitionKind.HASH)
                .setVersion(PartitionKeyDefinitionVersion.V2);
        return database.createContainerIfNotExists(new CosmosContainerProperties(name, key))
                .getProperties()
                .getPartitionKeyDefinition()
                .getPaths();
    }
}
