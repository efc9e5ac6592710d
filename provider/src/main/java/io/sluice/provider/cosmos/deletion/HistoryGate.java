package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.ProviderException;
import io.sluice.provider.outbox.PurgeMarker;
import io.sluice.provider.outbox.PurgeMarkers;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
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
    private final ExpectedRelay relay;

    /** Waits for this relay. */
    public HistoryGate(PurgeMarkers markers, ExpectedRelay relay) {
        this.markers = markers;
        this.relay = relay;
    }

    /** Whether a relay reads the store; a request, now and then. */
    boolean expectsRelay(Call call) {
        return relay.timeout(call).isPresent();
    }

    /** The longest {@link #await} takes. */
    public Duration longestWait() {
        return relay.longest().isZero() ? Duration.ZERO : relay.longest().plus(CLEANING_UP);
    }

    /**
     * Waits until all history these instances have now is published. Asks for one instance after the other.
     *
     * @throws ProviderException retryable when the relay does not answer in time; no marker is left then, unless the
     *     store is away too
     */
    public void await(Call call, List<String> instances) {
        await(call, instances, new MembersAtOnce(1), () -> {});
    }

    /**
     * The same for several instances at a time.
     *
     * @param proceeded run for each instance that is asked for, and for each answer; what it throws ends the wait, with
     *     no marker left
     */
    void await(Call call, List<String> instances, MembersAtOnce atOnce, Runnable proceeded) {
        relay.timeout(call).ifPresent(timeout -> await(call, instances, atOnce, proceeded, timeout));
    }

    private void await(Call call, List<String> instances, MembersAtOnce atOnce, Runnable proceeded, Duration timeout) {
        Map<String, PurgeMarker> waiting = new ConcurrentHashMap<>();
        try {
            atOnce.forEach(call, instances, (own, instance) -> {
                waiting.put(instance, markers.put(own, instance));
                proceeded.run();
            });
            Call wait = call.within(timeout);
            Backoff backoff = new Backoff();
            do {
                atOnce.forEach(wait, waiting.keySet(), (own, instance) -> {
                    if (markers.readAnswered(own, marker(waiting, instance))) {
                        waiting.remove(instance);
                        proceeded.run();
                    }
                });
            } while (!waiting.isEmpty() && backoff.pause(wait, null));
        } catch (ProviderException | DeletionAbortedException e) {
            withdraw(call, waiting, atOnce);
            throw e;
        }
        if (withdraw(call, waiting, atOnce)) {
            throw ProviderException.retryable(
                    call.operation(),
                    call.operation() + " on " + call.subject()
                            + " removed nothing: the relay is behind, it has not published all history within "
                            + timeout + "; see that it runs, and try again; if it was given up for good: relay prefix "
                            + "release, where relayWherePublished expects it, or a provider without relayExpected",
                    null);
        }
    }

    /** Removes the markers that the relay has not answered. Returns whether there was one. */
    private boolean withdraw(Call call, Map<String, PurgeMarker> waiting, MembersAtOnce atOnce) {
        return !atOnce.map(
                        call.within(CLEANING_UP),
                        waiting.keySet(),
                        (own, instance) -> withdraw(own, marker(waiting, instance)) ? instance : null)
                .isEmpty();
    }

    private static PurgeMarker marker(Map<String, PurgeMarker> waiting, String instance) {
        return Objects.requireNonNull(waiting.get(instance), instance);
    }

    private boolean withdraw(Call call, PurgeMarker marker) {
        try {
            return markers.withdraw(call, marker);
        } catch (ProviderException e) {
            LOG.atWarn()
                    .addKeyValue("instance", marker.instanceId())
                    .setCause(e)
                    .log("a purge marker could not be removed; it does no harm and expires");
            return true;
        }
    }
}
