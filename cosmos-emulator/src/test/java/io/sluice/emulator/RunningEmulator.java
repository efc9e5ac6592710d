package io.sluice.emulator;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An emulator for a test class, and a client of it. Faults end with each test. */
final class RunningEmulator implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private final EmulatorConfig config;
    private @Nullable CosmosEmulator emulator;
    private @Nullable CosmosClient client;

    RunningEmulator(EmulatorConfig config) {
        this.config = config;
    }

    static RunningEmulator inMemory() {
        return new RunningEmulator(EmulatorConfig.inMemory());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        emulator = CosmosEmulator.start(config);
        client = Clients.builder(emulator).buildClient();
        client.createDatabase("tests");
    }

    @Override
    public void afterEach(ExtensionContext context) {
        emulator().faults().clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        client().close();
        emulator().close();
    }

    CosmosEmulator emulator() {
        return started(emulator);
    }

    CosmosClient client() {
        return started(client);
    }

    CosmosDatabase database() {
        return client().getDatabase("tests");
    }

    /** A new container partitioned by {@code /pk}. */
    CosmosContainer container() {
        return container(properties -> {});
    }

    /** A new container partitioned by {@code /pk}, with other properties besides. */
    CosmosContainer container(Consumer<CosmosContainerProperties> change) {
        var key = new PartitionKeyDefinition()
                .setPaths(List.of("/pk"))
                .setKind(PartitionKind.HASH)
                .setVersion(PartitionKeyDefinitionVersion.V2);
        var properties = new CosmosContainerProperties(UUID.randomUUID().toString(), key);
        change.accept(properties);
        return Clients.container(database(), properties);
    }

    private static <T> T started(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("The emulator is not running");
        }
        return value;
    }
}
