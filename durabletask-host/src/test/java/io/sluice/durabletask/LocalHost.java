package io.sluice.durabletask;

import io.sluice.durabletask.hub.HubSettings;
import io.sluice.emulator.CosmosEmulator;
import io.sluice.emulator.EmulatorConfig;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;

/** A host on an emulator of its own, in this process. */
public final class LocalHost implements AutoCloseable {
    private final CosmosEmulator emulator;
    private final CosmosProvider provider;
    private final DurableTaskHost host;

    private LocalHost(int port, HubSettings settings) {
        this.emulator = CosmosEmulator.start(EmulatorConfig.inMemory());
        CosmosStoreConfig config = new CosmosStoreConfig(emulator.endpoint(), emulator.key(), "hubs", "hub");
        CosmosStore.provision(config);
        this.provider = CosmosProvider.builder().config(config).build();
        this.host = DurableTaskHost.start(provider, HostConfig.local(port).withHub(settings));
    }

    /** Starts both at a free port. */
    public static LocalHost start(HubSettings settings) {
        return new LocalHost(0, settings);
    }

    /** The host. */
    public DurableTaskHost host() {
        return host;
    }

    /** The emulator. */
    public CosmosEmulator emulator() {
        return emulator;
    }

    @Override
    public void close() {
        host.close();
        provider.close();
        emulator.close();
    }

    /**
     * Serves until the process ends; tests may empty the hub.
     *
     * @param arguments the port
     */
    public static void main(String[] arguments) throws InterruptedException {
        HubSettings settings = HubSettings.USUAL.withStartReplacesEnded(true).withCanBeEmptied(true);
        try (LocalHost local = new LocalHost(Integer.parseInt(arguments[0]), settings)) {
            System.out.println("listening at " + local.host().port());
            local.host().awaitEnd();
        }
    }
}
