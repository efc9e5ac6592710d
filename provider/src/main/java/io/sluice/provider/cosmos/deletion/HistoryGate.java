package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.provider.outbox.PurgeMarkers;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the removal of history back until the relay has published it; where no relay is expected, lets it pass at once.
 * Thread-safe.
 */
public final class HistoryGate {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryGate.class);
    private static final Duration CLEANING_UP = Duration.ofSeconds(10);

    private final PurgeMarkers markers;
    private final @Nullable Duration timeout;

    /**
     * Waits at most this long.
     *
     * @param timeout how long to wait for the relay; null when none is expected
     */
    public HistoryGate(PurgeMarkers markers, @Nullable Duration timeout) {
        this.markers = markers;
        this.timeout = timeout;
    }

    /** Whether a relay reads the store. */
    public boolean isRelayExpected() {
        return timeout != null;
    }

    /** The longest {@link #await} takes. */
    public Duration longestWait() {
        return timeout == null ? Duration.ZERO : timeout.plus(CLEANING_UP);
    }

    /**
     * Waits until all history these instances have now is published.
     *
     * @throws ProviderException retryable when the relay does not answer in time; no marker is left then, unless the
     *     store is away too
     */
    public void await(Call call, List<String> instances) {
        if (timeout == null) {
            return;
        }
        List<PurgeMarker> waiting = new ArrayList<>();
        try {
            for (String instance : instances) {
                waiting.add(markers.put(call, instance));
            }
            Call wait = call.within(timeout);
            Backoff backoff = new Backoff();
            do {
                waiting.removeIf(marker -> markers.readAnswered(wait, marker));
            } while (!waiting.isEmpty() && backoff.pause(wait, null));
        } catch (ProviderException e) {
            withdraw(call, waiting);
            throw e;
        }
        if (!withdraw(call, waiting).isEmpty()) {
            throw ProviderException.retryable(
                    call.operation(),
                    call.operation() + " on " + call.subject()
                            + " removed nothing: the relay is behind, it has not published all history within "
                            + timeout + "; see that it runs, and try again",
                    null);
        }
    }

    /** Removes the markers that the relay has not answered. Returns the markers that were there. */
    private List<PurgeMarker> withdraw(Call call, List<PurgeMarker> waiting) {
        List<PurgeMarker> unanswered = new ArrayList<>();
        for (PurgeMarker marker : waiting) {
            try {
                if (markers.withdraw(call.within(CLEANING_UP), marker)) {
                    unanswered.add(marker);
                }
            } catch (ProviderException e) {
                unanswered.add(marker);
                LOG.atWarn()
                        .addKeyValue("instance", marker.instanceId())
                        .setCause(e)
                        .log("a purge marker could not be removed; it does no harm and expires");
            }
        }
        return unanswered;
    }
}
