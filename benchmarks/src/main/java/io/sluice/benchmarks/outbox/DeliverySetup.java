package io.sluice.benchmarks.outbox;

import io.sluice.benchmarks.relay.RelayTestbed;
import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.time.InstantSource;

/**
 * An empty store, and the process or thread that delivers its intents.
 *
 * @param emulated the server of the store
 * @param container the container of the store
 * @param work closed with it
 */
record DeliverySetup(EmulatedStore emulated, CosmosStoreConfig container, AutoCloseable work) implements AutoCloseable {
    /** Starts store and delivery, and returns when both work. */
    static DeliverySetup of(DeliveryPath way) {
        return switch (way) {
            case OWN_TRY -> ofOwnTry();
            case RELAY -> ofRelay();
            case POLLING -> ofPolling();
        };
    }

    private static DeliverySetup ofOwnTry() {
        var emulated = EmulatedStore.start(RelayTestbed.PHYSICAL_PARTITIONS);
        return new DeliverySetup(emulated, emulated.container("outbox"), emulated);
    }

    private static DeliverySetup ofRelay() {
        var bed = RelayTestbed.start();
        bed.share(1);
        return new DeliverySetup(bed.emulated(), bed.config(), bed);
    }

    private static DeliverySetup ofPolling() {
        var emulated = EmulatedStore.start(RelayTestbed.PHYSICAL_PARTITIONS);
        var container = emulated.container("outbox");
        var store = CosmosStore.open(container);
        var reconciler = new PollingReconciler(store.container(), InstantSource.system());
        reconciler.start();
        return new DeliverySetup(emulated, container, () -> {
            reconciler.close();
            store.close();
            emulated.close();
        });
    }

    @Override
    public void close() {
        try {
            work.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("what delivers can't be ended", e);
        }
    }
}
