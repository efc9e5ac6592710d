package io.sluice.examples;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the orchestrations are stored: the account that {@code COSMOS_ENDPOINT} and {@code COSMOS_KEY} name, else an emulator in this process.
 * Each run has a database of its own, dropped at the end.
 */
final class CosmosPlace implements AutoCloseable {
    static final String CONTAINER = "orders";

    private final @Nullable CosmosEmulator emulator;
    private final CosmosStoreConfig config;
    private final boolean keep;
    private @Nullable CosmosStore store;

    private CosmosPlace(@Nullable CosmosEmulator emulator, CosmosStoreConfig config, boolean keep) {
        this.emulator = emulator;
        this.config = config;
        this.keep = keep;
    }

    /**
     * Opens it and makes the container.
     *
     * @throws RuntimeException when the account can't be reached or refuses the key; the message says which and what to do
     */
    static CosmosPlace open(Map<String, String> environment, String runName, boolean keep) {
        Map<String, String> settings = new HashMap<>(environment);
        settings.put("COSMOS_DATABASE", runName);
        settings.put("COSMOS_CONTAINER", CONTAINER);
        boolean named = environment.keySet().stream().anyMatch(CosmosPlace::namesAnAccount);
        CosmosEmulator emulator = named ? null : CosmosEmulator.start(EmulatorConfig.inMemory());
        if (emulator != null) {
            settings.put("COSMOS_ENDPOINT", emulator.endpoint());
            settings.put("COSMOS_KEY", emulator.key());
        }
        CosmosPlace place = new CosmosPlace(emulator, CosmosStoreConfig.fromEnvironment(settings), keep);
        try {
            CosmosStore.provision(place.config);
            place.store = CosmosStore.open(place.config);
            return place;
        } catch (RuntimeException e) {
            place.close();
            throw e;
        }
    }

    CosmosStore store() {
        CosmosStore current = store;
        if (current == null) {
            throw new IllegalStateException("not open");
        }
        return current;
    }

    Optional<CosmosEmulator> emulator() {
        return Optional.ofNullable(emulator);
    }

    /** What another process needs to find it. */
    Map<String, String> settings() {
        return Map.of(
                "COSMOS_ENDPOINT", config.endpoint(),
                "COSMOS_KEY", config.key(),
                "COSMOS_DATABASE", config.database(),
                "COSMOS_CONTAINER", config.container());
    }

    String description() {
        return (emulator == null ? "account " : "embedded at ") + config.endpoint() + ", database " + config.database();
    }

    @Override
    public void close() {
        CosmosStore current = store;
        if (current != null) {
            if (emulator == null && !keep) {
                current.database().delete().block();
            }
            current.close();
        }
        if (emulator != null) {
            emulator.close();
        }
    }

    private static boolean namesAnAccount(String variable) {
        return variable.equals("COSMOS_ENDPOINT") || variable.equals("COSMOSDB_ENDPOINT");
    }
}
