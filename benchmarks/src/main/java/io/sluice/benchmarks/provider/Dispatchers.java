package io.sluice.benchmarks.provider;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.benchmarks.emulator.EmulatorProcess;
import io.sluice.provider.Provider;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStore;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Dispatchers of one process that work a backlog off. */
final class Dispatchers {
    private static final int SEEDERS = 16;
    private static final com.sun.management.OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);

    private final EmulatorProcess server;
    private final CosmosStore store;
    private final Work work;
    private int runs;

    Dispatchers(EmulatorProcess server, CosmosStore store, Work work) {
        this.server = server;
        this.store = store;
        this.work = work;
    }

    /**
     * What a run gave, for each piece of work.
     *
     * @param perSecond how many, from the start of the dispatchers to the end of the last piece
     * @param requests of the provider; a query counts its pages
     * @param requestUnits charged for them
     * @param processor milliseconds of this process
     * @param serverProcessor milliseconds of the emulator
     */
    record Figures(double perSecond, double requests, double requestUnits, double processor, double serverProcessor) {}

    /** What has been spent so far. */
    private record Spent(double seconds, double requests, double requestUnits, double processor, double server) {}

    /** Lets so many dispatchers of each kind work so many pieces off, which lie there before they start. */
    Figures run(int dispatchers, int pieces) {
        int run = runs++;
        seed(run, pieces);
        var registry = new SimpleMeterRegistry();
        try (var provider =
                CosmosProvider.builder().store(store).meterRegistry(registry).build()) {
            var before = spent(registry);
            var after = workOff(provider, dispatchers, pieces, registry);
            return new Figures(
                    pieces / (after.seconds() - before.seconds()),
                    (after.requests() - before.requests()) / pieces,
                    (after.requestUnits() - before.requestUnits()) / pieces,
                    (after.processor() - before.processor()) / pieces,
                    (after.server() - before.server()) / pieces);
        }
    }

    private void seed(int run, int pieces) {
        var threads = Executors.newFixedThreadPool(SEEDERS);
        try (var provider = CosmosProvider.builder().store(store).build()) {
            all(IntStream.range(0, pieces)
                    .mapToObj(piece -> CompletableFuture.runAsync(
                            () -> work.seed(provider, "order-" + run + "-" + piece), threads))
                    .toArray(CompletableFuture[]::new));
        } finally {
            threads.shutdownNow();
        }
    }

    /** What was spent when the last piece ended; dispatchers that then still look for work don't count. */
    private Spent workOff(Provider provider, int dispatchers, int pieces, SimpleMeterRegistry registry) {
        var left = new AtomicInteger(pieces);
        var spent = new CompletableFuture<Spent>();
        ExecutorService threads =
                Executors.newFixedThreadPool(dispatchers * work.steps().size());
        try {
            var running = new ArrayList<CompletableFuture<Void>>();
            for (var step : work.steps()) {
                for (int i = 0; i < dispatchers; i++) {
                    running.add(CompletableFuture.runAsync(
                            () -> {
                                while (left.get() > 0) {
                                    if (step.take(provider) && left.decrementAndGet() == 0) {
                                        spent.complete(spent(registry));
                                    }
                                }
                            },
                            threads));
                }
            }
            all(running.toArray(CompletableFuture[]::new));
            return spent.join();
        } finally {
            threads.shutdownNow();
        }
    }

    private static void all(CompletableFuture<?>[] parts) {
        try {
            CompletableFuture.allOf(parts).join();
        } catch (CompletionException e) {
            throw new IllegalStateException("a dispatcher failed", e.getCause());
        }
    }

    private Spent spent(SimpleMeterRegistry registry) {
        return new Spent(
                System.nanoTime() / 1e9,
                total(registry, "sluice.provider.operation.requests"),
                total(registry, "sluice.provider.operation.charge"),
                PROCESS.getProcessCpuTime() / 1e6,
                server.processorMillis());
    }

    private static double total(SimpleMeterRegistry registry, String meter) {
        return registry.find(meter).summaries().stream()
                .mapToDouble(DistributionSummary::totalAmount)
                .sum();
    }
}
