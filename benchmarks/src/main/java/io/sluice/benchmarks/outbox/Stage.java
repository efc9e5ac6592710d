package io.sluice.benchmarks.outbox;

import io.sluice.benchmarks.relay.Bed;
import io.sluice.benchmarks.store.EmulatedStore;
import io.sluice.provider.cosmos.CosmosStore;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.time.InstantSource;

/**
 * An empty store, and what delivers its intents.
 *
 * @param emulated its server
 * @param container where it is
 * @param work to be ended with it
 */
record Stage(EmulatedStore emulated, CosmosStoreConfig container, AutoCloseable work) implements AutoCloseable {
    /** Sets it up, and returns when it works. */
    static Stage of(Way way) {
        return switch (way) {
            case OWN_TRY -> ofOwnTry();
            case RELAY -> ofRelay();
            case POLLING -> ofPolling();
        };
    }

    private static Stage ofOwnTry() {
        var emulated = EmulatedStore.start(Bed.PHYSICAL_PARTITIONS);
        return new Stage(emulated, emulated.container("outbox"), emulated);
    }

    private static Stage ofRelay() {
        var bed = Bed.start();
        bed.share(1);
        return new Stage(bed.emulated(), bed.config(), bed);
    }

    private static Stage ofPolling() {
        var emulated = EmulatedStore.start(Bed.PHYSICAL_PARTITIONS);
        var container = emulated.container("outbox");
        var store = CosmosStore.open(container);
        var reconciler = new PollingReconciler(store.container(), InstantSource.system());
        reconciler.start();
        return new Stage(emulated, container, () -> {
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
