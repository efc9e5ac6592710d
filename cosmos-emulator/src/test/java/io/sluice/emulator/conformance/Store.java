package io.sluice.emulator.conformance;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.JavaClients;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who is asked: the account or official emulator that {@code COSMOS_ENDPOINT} and {@code COSMOS_KEY} name, else an
 * emulator of our own. It has a database of its own, which goes with it.
 */
final class Store implements AutoCloseable {
    private final @Nullable CosmosEmulator emulator;
    private final String endpoint;
    private final String key;
    private final CosmosClient client;
    private final CosmosDatabase database;

    private Store(@Nullable CosmosEmulator emulator, String endpoint, String key) {
        this.emulator = emulator;
        this.endpoint = endpoint;
        this.key = key;
        client = JavaClients.builder(endpoint, key)
                .contentResponseOnWriteEnabled(true)
                .buildClient();
        var name = "conformance-" + UUID.randomUUID();
        client.createDatabase(name);
        database = client.getDatabase(name);
    }

    static Store open() {
        return open(EmulatorConfig.inMemory());
    }

    /** The same, where an emulator of our own is to be a certain one. */
    static Store open(EmulatorConfig config) {
        var endpoint = System.getenv("COSMOS_ENDPOINT");
        var key = System.getenv("COSMOS_KEY");
        if (endpoint != null && key != null) {
            return new Store(null, endpoint, key);
        }
        var emulator = CosmosEmulator.start(config);
        return new Store(emulator, emulator.endpoint(), emulator.key());
    }

    /** The emulator of our own, where that is asked. */
    Optional<CosmosEmulator> emulator() {
        return Optional.ofNullable(emulator);
    }

    /** Where it listens. */
    String endpoint() {
        return endpoint;
    }

    /** What its requests are signed with. */
    String key() {
        return key;
    }

    /** The id of the database. */
    String database() {
        return database.getId();
    }

    /** Whether it is the emulator that is to be proven, not what it is measured by. */
    boolean isOurs() {
        return emulator != null;
    }

    /** A new container partitioned by {@code /pk}. */
    CosmosContainer container(String name) {
        var key = new PartitionKeyDefinition()
                .setPaths(List.of("/pk"))
                .setKind(PartitionKind.HASH)
                .setVersion(PartitionKeyDefinitionVersion.V2);
        database.createContainer(new CosmosContainerProperties(name, key));
        return database.getContainer(name);
    }

    @Override
    public void close() {
        database.delete();
        client.close();
        if (emulator != null) {
            emulator.close();
        }
    }
}
