package io.sluice.examples;

import io.sluice.examples.orders.Warehouse;
import io.sluice.examples.runtime.OrchestrationRuntime;
import io.sluice.examples.runtime.RuntimeConfig;
import io.sluice.examples.servers.ProcessFleet;
import io.sluice.examples.servers.Servers;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosProviderBuilder;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import io.sluice.provider.kafka.KafkaWorkFeed;
import io.sluice.testkit.process.JavaProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * An application's part, as a process of its own: the provider embedded in a runtime that knows the order code. It
 * hears from Kafka where work is, or queries the store for it.
 */
public final class OrderRuntime {
    /** At the end of the user agent of its requests to the store. */
    static final String CLIENT = "order-runtime";

    private static final String WAREHOUSE = "SLUICE_DEMO_WAREHOUSE";
    private static final String DISPATCHED = "SLUICE_DEMO_DISPATCHED";
    private static final String STARTED = "the runtime works";
    private static final int DISPATCHERS = 2;
    private static final int WORKERS = 4;
    /** The lock of an activity of a killed process expires after this. */
    private static final Duration ACTIVITY_LOCK = Duration.ofSeconds(5);

    private OrderRuntime() {}

    /** Starts processes and waits until they work. */
    static ProcessFleet start(int processes, Servers servers, Path warehouse, boolean dispatched) {
        Map<String, String> settings = servers.settings();
        settings.put("COSMOS_APPLICATION", CLIENT);
        settings.put(WAREHOUSE, warehouse.toString());
        settings.put(DISPATCHED, Boolean.toString(dispatched));
        ProcessFleet fleet = new ProcessFleet(
                JavaProgram.of(OrderRuntime.class).named("runtime").with(settings));
        try {
            for (int i = 0; i < processes; i++) {
                fleet.startOne();
            }
            fleet.awaitPrinted(STARTED);
            return fleet;
        } catch (RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    /** Works until it is stopped. */
    public static void main(String[] arguments) throws InterruptedException {
        Map<String, String> settings = System.getenv();
        CosmosProvider provider = provider(settings);
        OrchestrationRuntime runtime = new OrchestrationRuntime(
                provider,
                new Warehouse(Path.of(settings.get(WAREHOUSE))).registry(),
                RuntimeConfig.DEFAULT
                        .withThreads(DISPATCHERS, WORKERS)
                        .withTiming(RuntimeConfig.Timing.DEFAULT.withActivityLock(ACTIVITY_LOCK)));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(runtime, provider), "sluice-runtime-close"));
        runtime.start();
        System.out.println(STARTED);
        // The runtime's threads are daemons.
        Thread.currentThread().join();
    }

    private static CosmosProvider provider(Map<String, String> settings) {
        // Intents are left to the relay, so that the latency measured is the relay's own.
        CosmosProviderBuilder builder = CosmosProvider.builder()
                .config(CosmosStoreConfig.fromEnvironment(settings))
                .immediateDelivery(false);
        if (Boolean.parseBoolean(settings.get(DISPATCHED))) {
            builder.workFeed(KafkaWorkFeed.builder()
                    .clientProperties(Map.of("bootstrap.servers", settings.get("KAFKA_BOOTSTRAP_SERVERS")))
                    .topicPrefix(settings.getOrDefault("SLUICE_PREFIX", "sluice"))
                    .build());
        }
        return builder.build();
    }

    private static void close(OrchestrationRuntime runtime, CosmosProvider provider) {
        try (provider) {
            runtime.close();
        }
    }
}
