package io.sluice.benchmarks.store;

import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.emulator.LoggedRequest;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.util.List;

/** An emulator in this process, with containers as the contract wants them. */
public final class EmulatedStore implements AutoCloseable {
    private static final String DATABASE = "benchmarks";
    private static final int MOST_TRIES = 5;

    private final int physicalPartitions;
    private final CosmosEmulator emulator;

    private EmulatedStore(int physicalPartitions, CosmosEmulator emulator) {
        this.physicalPartitions = physicalPartitions;
        this.emulator = emulator;
    }

    /** Starts one in memory, with so many physical partitions in each container. */
    public static EmulatedStore start(int physicalPartitions) {
        return new EmulatedStore(
                physicalPartitions,
                CosmosEmulator.start(EmulatorConfig.inMemory().withPhysicalPartitions(physicalPartitions)));
    }

    /** Makes an empty container. */
    public CosmosStoreConfig container(String name) {
        var config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), DATABASE, name);
        provision(config);
        return config;
    }

    /** The first client of a JVM may take longer to start on a busy machine than a store waits for one. */
    private static void provision(CosmosStoreConfig config) {
        for (int tries = 1; ; tries++) {
            try {
                CosmosStore.provision(config);
                return;
            } catch (ProviderException e) {
                if (!e.retryable() || tries == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    /** The emulator. */
    public CosmosEmulator emulator() {
        return emulator;
    }

    /** How many physical partitions each container has. */
    public int physicalPartitions() {
        return physicalPartitions;
    }

    /** Forgets what was asked so far. */
    public void forget() {
        emulator.requests().clear();
    }

    /** What was asked since {@link #forget}, in the order it arrived. */
    public List<LoggedRequest> asked() {
        return emulator.requests().all();
    }

    /** What all that was asked since {@link #forget} cost. */
    public RequestCost cost() {
        return RequestCost.of(asked(), physicalPartitions);
    }

    @Override
    public void close() {
        emulator.close();
    }
}
