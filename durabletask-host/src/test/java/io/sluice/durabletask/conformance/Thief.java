package io.sluice.durabletask.conformance;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.cosmos.CosmosProvider;
import io.sluice.provider.cosmos.CosmosStoreConfig;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Another process, whose clock is so far ahead that every lock has lapsed for it: it takes the turn of an instance that
 * a worker has, as if that worker's host had been cut off for long. Not thread-safe.
 */
final class Thief implements AutoCloseable {
    private static final Duration AHEAD = Duration.ofHours(1);
    private static final Duration LOCK = Duration.ofMinutes(1);

    private final CosmosProvider provider;
    private final LockedTurn turn;

    private Thief(CosmosProvider provider, LockedTurn turn) {
        this.provider = provider;
        this.turn = turn;
    }

    static Thief of(CosmosStoreConfig store, String instance) {
        CosmosProvider provider = CosmosProvider.builder()
                .config(store)
                .reconciler(false)
                .clock(() -> InstantSource.system().instant().plus(AHEAD))
                .build();
        return new Thief(
                provider, provider.instanceTurns().fetch(instance, LOCK).orElseThrow());
    }

    void giveBack() {
        provider.abandonOrchestrationItem(turn.lockToken(), null, true);
    }

    @Override
    public void close() {
        provider.close();
    }
}
