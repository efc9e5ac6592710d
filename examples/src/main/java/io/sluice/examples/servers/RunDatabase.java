package io.sluice.examples.servers;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The database of one run, dropped at its end: in the account that {@code COSMOS_ENDPOINT} and {@code COSMOS_KEY} name,
 * else in an emulator in this process.
 */
public final class RunDatabase implements AutoCloseable {
    /** The container of every run. */
    public static final String CONTAINER = "orders";

    private final @Nullable CosmosEmulator emulator;
    private final CosmosStoreConfig config;
    private final boolean keep;
    private @Nullable CosmosStore store;

    private RunDatabase(@Nullable CosmosEmulator emulator, CosmosStoreConfig config, boolean keep) {
        this.emulator = emulator;
        this.config = config;
        this.keep = keep;
    }

    /**
     * Creates the database and its container.
     *
     * @throws RuntimeException when the account can't be reached or refuses the key; the message says which and what to
     *     do
     */
    public static RunDatabase open(Map<String, String> environment, String runName, boolean keep) {
        return open(environment, runName, keep, EmulatorConfig.inMemory());
    }

    /**
     * The same, with an emulator of this kind where one is needed.
     *
     * @throws RuntimeException as of the other
     */
    public static RunDatabase open(
            Map<String, String> environment, String runName, boolean keep, EmulatorConfig emulated) {
        Map<String, String> settings = new HashMap<>(environment);
        settings.put("COSMOS_DATABASE", runName);
        settings.put("COSMOS_CONTAINER", CONTAINER);
        boolean named = environment.keySet().stream().anyMatch(RunDatabase::namesAnAccount);
        CosmosEmulator emulator = named ? null : CosmosEmulator.start(emulated);
        if (emulator != null) {
            settings.put("COSMOS_ENDPOINT", emulator.endpoint());
            settings.put("COSMOS_KEY", emulator.key());
        }
        RunDatabase opened = new RunDatabase(emulator, CosmosStoreConfig.fromEnvironment(settings), keep);
        try {
            CosmosStore.provision(opened.config);
            opened.store = CosmosStore.open(opened.config);
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** The open store. */
    public CosmosStore store() {
        CosmosStore current = store;
        if (current == null) {
            throw new IllegalStateException("not open");
        }
        return current;
    }

    /** The emulator; empty on an account. */
    public Optional<CosmosEmulator> emulator() {
        return Optional.ofNullable(emulator);
    }

    /** The variables by which another process finds it. */
    public Map<String, String> settings() {
        return Map.of(
                "COSMOS_ENDPOINT", config.endpoint(),
                "COSMOS_KEY", config.key(),
                "COSMOS_DATABASE", config.database(),
                "COSMOS_CONTAINER", config.container());
    }

    /** Where it is, for people. */
    public String description() {
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
