package io.sluice.provider.cosmos;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.purge.HistoryGate;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
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

    private final Deletions deletions;

    /** A sweep of this store, which stays the caller's to close. */
    public StoreSweep(CosmosStore store) {
        this(store, store.clock());
    }

    StoreSweep(CosmosStore store, InstantSource clock) {
        ContainerRequests requests = new ContainerRequests(store.container());
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
}
