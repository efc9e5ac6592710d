package io.sluice.benchmarks;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.Connectivity;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** An emulator in this process, with one container as the contract wants it, and a log of who asked it for what. */
final class EmulatedStore implements AutoCloseable {
    private static final int MOST_TRIES = 5;

    private final CosmosEmulator emulator;
    private final CosmosStoreConfig config;

    private EmulatedStore(CosmosEmulator emulator) {
        this.emulator = emulator;
        this.config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "benchmarks", "instances");
    }

    /** Starts one in memory whose container is empty and has so many physical partitions. */
    static EmulatedStore start(int physicalPartitions) {
        var store = new EmulatedStore(
                CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(physicalPartitions)));
        store.provision();
        return store;
    }

    /** The first client of a JVM may take longer to start on a busy machine than a store waits for one. */
    private void provision() {
        for (int tries = 1; ; tries++) {
            try {
                CosmosStore.provision(config);
                return;
            } catch (ProviderException e) {
                if (!e.retryable() || tries == MOST_TRIES) {
                    emulator.close();
                    throw e;
                }
            }
        }
    }

    /** Where the container is. */
    CosmosStoreConfig config() {
        return config;
    }

    /** The same for a client whose requests are told from those of others. */
    CosmosStoreConfig configOf(String application) {
        return config.withConnectivity(new Connectivity(Connectivity.Mode.BY_ENDPOINT, List.of(), application));
    }

    /** The same as variables of a process's environment. */
    Map<String, String> variablesOf(String application) {
        return Map.of(
                "COSMOS_ENDPOINT", config.endpoint(),
                "COSMOS_KEY", config.key(),
                "COSMOS_DATABASE", config.database(),
                "COSMOS_CONTAINER", config.container(),
                "COSMOS_APPLICATION", application);
    }

    /** Sets the account's clock ahead of this machine's. */
    void setClockOffset(Duration ahead) {
        emulator.setClockOffset(ahead);
    }

    /** Forgets what was asked so far. */
    void forget() {
        emulator.requests().clear();
    }

    /** What was asked since {@link #forget}, in the order it arrived. */
    List<LoggedRequest> asked() {
        return emulator.requests().all();
    }

    /** What all that was asked since {@link #forget} cost. */
    RequestCost cost() {
        return RequestCost.of(asked());
    }

    /** What one application has asked since {@link #forget} cost. */
    RequestCost costOf(String application) {
        return RequestCost.of(asked().stream()
                .filter(request -> request.userAgent().endsWith(application))
                .toList());
    }

    @Override
    public void close() {
        emulator.close();
    }
}
