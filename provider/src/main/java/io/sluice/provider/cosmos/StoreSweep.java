package io.sluice.provider.cosmos;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.purge.HistoryGate;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.outbox.PurgeMarkers;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Finishes what providers left behind, for a relay or another program to run every minute or so. Nothing correct hangs on it, since every provider does the same
 * with what it meets; it is for what nobody meets. Thread-safe.
 */
public final class StoreSweep {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Whoever committed a turn of several batches is left the time to apply it. */
    private static final long LEFT_ALONE_MILLIS = 10_000;

    private final Deletions deletions;
    private final TurnFinisher turns;
    private final InstantSource clock;

    /** A sweep of this store, which stays the caller's to close. */
    public StoreSweep(CosmosStore store) {
        this(store, store.clock());
    }

    StoreSweep(CosmosStore store, InstantSource clock) {
        ContainerRequests requests = new ContainerRequests(store.container());
        this.clock = clock;
        this.turns = new TurnFinisher(requests, clock);
        this.deletions = new Deletions(
                requests,
                new IntentOutbox(requests, clock),
                new HistoryGate(new PurgeMarkers(requests, clock), null),
                clock);
    }

    /**
     * Carries out deletions that are decided, and gives up those that are overdue. One cross-partition query when there is nothing to do.
     *
     * @return how many it finished
     * @throws ProviderException retryable when the store can't be read
     */
    public int finishDeletions() {
        return deletions.finishOverdue(Call.onContainer("finishDeletions", PATIENCE));
    }

    /**
     * Applies turns of several batches that were committed a while ago and are not applied yet. One cross-partition query when there is nothing to do.
     *
     * @return how many it finished
     * @throws ProviderException retryable when the store can't be read
     */
    public int finishTurns() {
        return turns.finishAll(Call.onContainer("finishTurns", PATIENCE), clock.millis() - LEFT_ALONE_MILLIS);
    }
}
