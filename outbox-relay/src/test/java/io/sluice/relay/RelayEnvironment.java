package io.sluice.relay;

import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.util.HashMap;
import java.util.Map;

/** The environment variables of a relay: its store, Kafka, what its topics begin with, and other settings. */
public final class RelayEnvironment {
    /** Settings of a relay beside one broker, on any free port. */
    public static final Map<String, String> SMALL =
            Map.of("SLUICE_TOPIC_PARTITIONS", "4", "SLUICE_TOPIC_REPLICATION", "1", "SLUICE_OPS_PORT", "0");

    /** Whether a relay announces work. */
    public static final String ANNOUNCES = "SLUICE_DISPATCH_ENABLED";

    private RelayEnvironment() {}

    /** Those of a relay for this store and this Kafka, and {@code settings}; it may be added to. */
    public static Map<String, String> of(
            CosmosStoreConfig store, String bootstrapServers, String prefix, Map<String, String> settings) {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("COSMOS_ENDPOINT", store.endpoint());
        environment.put("COSMOS_KEY", store.key());
        environment.put("COSMOS_DATABASE", store.database());
        environment.put("COSMOS_CONTAINER", store.container());
        environment.put("KAFKA_BOOTSTRAP_SERVERS", bootstrapServers);
        environment.put("SLUICE_PREFIX", prefix);
        return environment;
    }
}
