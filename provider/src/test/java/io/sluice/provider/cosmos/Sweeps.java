package io.sluice.provider.cosmos;

import java.time.InstantSource;

/** Sweeps by another clock than the store's, for tests elsewhere. */
public final class Sweeps {
    private Sweeps() {}

    public static StoreSweep by(CosmosStore store, InstantSource clock) {
        return new StoreSweep(store, clock);
    }
}
