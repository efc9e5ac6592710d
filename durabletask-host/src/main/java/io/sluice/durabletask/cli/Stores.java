package io.sluice.durabletask.cli;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.durabletask.hub.OtherRuntimes;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosProviderBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The open stores of all task hubs. Not thread-safe. */
final class Stores implements AutoCloseable {
    private final Map<String, CosmosProvider> providers = new LinkedHashMap<>();
    private final RelayWait relayWait;

    private Stores(RelayWait relayWait) {
        this.relayWait = relayWait;
    }

    /**
     * Opens all, or none.
     *
     * @throws io.sluice.provider.ProviderException naming the place and the remedy
     */
    static Stores open(HostSettings settings, MeterRegistry meters) {
        Stores stores = new Stores(settings.relayWait());
        try {
            for (int hub = 0; hub < settings.stores().size(); hub++) {
                String name = HostSettings.hubName(settings.stores().get(hub));
                stores.providers.put(name, provider(settings, hub, meters));
            }
            return stores;
        } catch (RuntimeException e) {
            stores.close();
            throw e;
        }
    }

    private static CosmosProvider provider(HostSettings settings, int hub, MeterRegistry meters) {
        CosmosProviderBuilder builder = CosmosProvider.builder()
                .config(settings.stores().get(hub))
                .meterRegistry(meters)
                .dropOrphanEvents(true);
        settings.relayWait().applyTo(builder);
        if (settings.announced() != null) {
            builder.workFeed(settings.announced().feed(hub, meters));
        }
        return builder.build();
    }

    /** By the names of their task hubs. */
    Map<String, CosmosProvider> providers() {
        return Map.copyOf(providers);
    }

    /** What speaks against a task hub, though it can be served. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        providers.forEach((hub, provider) ->
                warnings(provider, relayWait).forEach(found -> warnings.add("task hub " + hub + ": " + found)));
        return warnings;
    }

    /** What speaks against a task hub of this container. */
    static List<String> warnings(CosmosProvider provider, RelayWait relayWait) {
        return Stream.concat(OtherRuntimes.warning(provider.queries()).stream(), relayWait.warning(provider).stream())
                .toList();
    }

    @Override
    public void close() {
        providers.values().forEach(CosmosProvider::close);
    }
}
