package io.sluice.provider.outbox;

import com.azure.cosmos.CosmosAsyncContainer;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.PurgeDocument;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.RequestObserver;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/**
 * Keeps history until the relay has published it. Who means to remove history first puts a marker into the instance's
 * partition; the feed is ordered within a partition, so a relay that meets the marker has met all earlier events. It
 * commits them, and then {@linkplain #answer answers} by removing the marker. Only the relay and the marker's own maker
 * may remove it: its absence is the answer. Thread-safe.
 */
public final class PurgeMarkers {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ContainerRequests requests;
    private final InstantSource clock;

    /** Works on this container; the clock stamps markers. */
    public PurgeMarkers(CosmosAsyncContainer container, InstantSource clock) {
        this(new ContainerRequests(container), clock);
    }

    /**
     * The same, where an observer sees every answer, such as the store's own that keeps its time right; the clock
     * stamps markers.
     */
    public PurgeMarkers(CosmosAsyncContainer container, RequestObserver observer, InstantSource clock) {
        this(new ContainerRequests(container, observer), clock);
    }

    /** Works through these requests; the clock stamps markers. */
    public PurgeMarkers(ContainerRequests requests, InstantSource clock) {
        this.requests = requests;
        this.clock = clock;
    }

    /**
     * For the relay: all events of the instance that the feed showed before this marker are committed to Kafka. Must
     * not be called earlier. Missing is fine.
     *
     * @throws ProviderException retryable when the store could not be reached; the marker then waits on, and is met
     *     again at the next start at the latest
     */
    public void answer(PurgeMarker marker) {
        remove(Call.onInstance("answerPurgeMarker", marker.instanceId(), PATIENCE), marker);
    }

    /**
     * Puts a marker in place. Call it with the instance locked, so that no further history arrives behind the marker.
     *
     * @throws ProviderException retryable when the store could not be reached
     */
    public PurgeMarker put(Call call, String instanceId) {
        String id = DocumentIds.purge(instanceId, UUID.randomUUID().toString());
        long now = clock.millis();
        var create = new BatchWrite.Create(new PurgeDocument(instanceId, id, false, now).toJson());
        Backoff backoff = new Backoff();
        while (true) {
            WriteOutcome outcome = requests.batchPatiently(call, instanceId, List.of(create));
            if (outcome.isCommitted() || outcome.isConflict()) {
                return new PurgeMarker(instanceId, id, false, now);
            }
            // Without an answer it may come late, so its absence would prove nothing: it is written until it surely
            // was.
            if (!outcome.isAmbiguous() || !backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
    }

    /** Reads whether the relay has answered. */
    public boolean readAnswered(Call call, PurgeMarker marker) {
        return requests.read(call, marker.instanceId(), marker.id()).isEmpty();
    }

    /**
     * Takes a marker back.
     *
     * @return false when it was answered already
     */
    public boolean withdraw(Call call, PurgeMarker marker) {
        return remove(call, marker);
    }

    private boolean remove(Call call, PurgeMarker marker) {
        boolean doubtful = false;
        Backoff backoff = new Backoff();
        while (true) {
            WriteOutcome outcome = requests.batchPatiently(
                    call, marker.instanceId(), List.of(new BatchWrite.Delete(marker.id(), null)));
            if (outcome.isCommitted()) {
                return true;
            }
            if (outcome.isNotFound()) {
                // After doubt it may have been ourselves who removed it.
                return doubtful;
            }
            if (!outcome.isAmbiguous() || !backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
            doubtful = true;
        }
    }
}
