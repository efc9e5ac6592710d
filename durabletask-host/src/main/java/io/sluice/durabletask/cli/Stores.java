package io.sluice.durabletask.cli;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosProviderBuilder;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The open stores of all task hubs. Not thread-safe. */
final class Stores implements AutoCloseable {
    private final Map<String, CosmosProvider> providers = new LinkedHashMap<>();

    /**
     * Opens all, or none.
     *
     * @throws io.sluice.provider.ProviderException naming the place and the remedy
     */
    static Stores open(List<CosmosStoreConfig> configs, Duration relayTimeout, MeterRegistry meters) {
        Stores stores = new Stores();
        try {
            configs.forEach(config ->
                    stores.providers.put(HostSettings.hubName(config), provider(config, relayTimeout, meters)));
            return stores;
        } catch (RuntimeException e) {
            stores.close();
            throw e;
        }
    }

    private static CosmosProvider provider(CosmosStoreConfig config, Duration relayTimeout, MeterRegistry meters) {
        CosmosProviderBuilder builder =
                CosmosProvider.builder().config(config).meterRegistry(meters).dropOrphanEvents(true);
        return (relayTimeout.isZero() ? builder : builder.relayExpected(relayTimeout)).build();
    }

    /** By the names of their task hubs. */
    Map<String, CosmosProvider> providers() {
        return Map.copyOf(providers);
    }

    @Override
    public void close() {
        providers.values().forEach(CosmosProvider::close);
    }
}
