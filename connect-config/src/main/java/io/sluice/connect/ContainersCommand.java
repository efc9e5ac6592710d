package io.sluice.connect;

import com.azure.cosmos.models.CosmosContainerProperties;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Makes what the connector does not: the containers that the shipped sinks write to. */
@Command(
        name = "containers",
        description = {
            "Makes the containers of the shipped sinks that are missing, in the database and account of COSMOS_ENDPOINT, COSMOS_KEY, COSMOS_MODE and COSMOS_DATABASE.",
            "With COSMOS_AUTH=aad nothing can be made by this way: use the control plane."
        })
final class ContainersCommand implements Callable<Integer> {
    /** Partition keys by container, as the sinks' values have them. */
    static final Map<String, String> PARTITION_KEYS = Map.of(
            "sluice-audit", "/instance_id",
            "sluice-dead-letters", "/id",
            "sluice-status", "/id",
            "sluice-lifecycle", "/instance");

    private final Map<String, String> environment;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    ContainersCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        var config = CosmosStoreConfig.fromEnvironment(environment);
        try (var client = config.clientBuilder().buildClient()) {
            client.createDatabaseIfNotExists(config.database());
            var database = client.getDatabase(config.database());
            PARTITION_KEYS.forEach((name, key) -> {
                var there = database.createContainerIfNotExists(new CosmosContainerProperties(name, key))
                        .getProperties()
                        .getPartitionKeyDefinition()
                        .getPaths();
                if (!there.equals(List.of(key))) {
                    throw new IllegalStateException("container " + name + " has the partition key " + there
                            + ", the sinks need " + key + ": remove it, or name another in the sink");
                }
            });
        }
        spec.commandLine()
                .getOut()
                .println(PARTITION_KEYS.keySet().stream().sorted().toList() + " are there");
        return Main.DONE;
    }
}
