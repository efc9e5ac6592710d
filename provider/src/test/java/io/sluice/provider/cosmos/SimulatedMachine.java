package io.sluice.provider.cosmos;

import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.request.RequestObserver;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A machine whose clocks, chance and wire are a simulation's, for tests elsewhere.
 *
 * @param clock the service's time, as the machine knows it
 * @param nanoTime its monotonic clock
 * @param random for the tails of ids
 * @param wire hears of every request before it is sent, on the thread that sends it
 */
public record SimulatedMachine(
        InstantSource clock, LongSupplier nanoTime, RandomGenerator random, RequestObserver wire) {
    /** A provider on it. It starts no threads. */
    public CosmosProvider provider(CosmosStore store, boolean immediateDelivery) {
        return builder(store, immediateDelivery).build();
    }

    /** The same, whose work is announced. */
    public CosmosProvider provider(CosmosStore store, boolean immediateDelivery, WorkFeed feed) {
        return builder(store, immediateDelivery).workFeed(feed).build();
    }

    private CosmosProviderBuilder builder(CosmosStore store, boolean immediateDelivery) {
        return CosmosProvider.builder()
                .reconciler(false)
                .store(store)
                .clock(clock)
                .immediateDelivery(immediateDelivery)
                .environment(new HostEnvironment(nanoTime, random, 1, wire));
    }

    /** A sweep on it. */
    public StoreSweep sweep(CosmosStore store) {
        return new StoreSweep(store, wire, 1, clock);
    }
}
