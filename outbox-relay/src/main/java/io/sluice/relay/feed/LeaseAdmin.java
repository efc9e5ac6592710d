package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations of an operator on the leases of the change feed processor: list them, release one, remove all.
 * Thread-safe.
 */
public final class LeaseAdmin {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** Leases expire after 18 s without a renewal. */
    private static final long ALIVE_SECONDS = 24;

    private final LeaseContainer leases;
    private final InstantSource clock;

    /**
     * A lease.
     *
     * @param token its name
     * @param owner replica that reads its part of the feed; null if it has no owner
     * @param ageSeconds since its renewal; null if unknown
     * @param continuation position in its part of the feed; null at the beginning
     */
    public record Lease(
            @JsonProperty("token") String token,
            @JsonProperty("owner") @Nullable String owner,
            @JsonProperty("ageSeconds") @Nullable Long ageSeconds,
            @JsonProperty("continuation") @Nullable String continuation) {

        /** Whether a running relay seems to own it. */
        public boolean isAlive() {
            return owner != null && ageSeconds != null && ageSeconds <= ALIVE_SECONDS;
        }
    }

    /**
     * Operates on the leases whose ids begin with a prefix.
     *
     * @param clock the service's time, by which the age of leases is measured
     */
    public LeaseAdmin(CosmosAsyncContainer leases, String prefix, InstantSource clock) {
        this.leases = new LeaseContainer(leases, prefix, TIMEOUT);
        this.clock = clock;
    }

    /** All leases, by token. */
    public List<Lease> all() {
        return leases.documents().stream()
                .filter(document -> document.hasNonNull("LeaseToken"))
                .map(this::lease)
                .sorted(Comparator.comparing(Lease::token))
                .toList();
    }

    private Lease lease(JsonNode document) {
        return new Lease(
                document.path("LeaseToken").asText(),
                textOrNull(document, "Owner"),
                ageSeconds(document),
                textOrNull(document, "ContinuationToken"));
    }

    private static @Nullable String textOrNull(JsonNode document, String field) {
        var text = document.path(field).asText("");
        return text.isEmpty() || document.path(field).isNull() ? null : text;
    }

    /**
     * Both times are the service's, which is known to about a second: a renewal just now may seem to be in the future.
     */
    private @Nullable Long ageSeconds(JsonNode document) {
        return document.has("_ts")
                ? (Long) Math.max(
                        0,
                        Duration.between(LeaseReport.writtenAt(document), clock.instant())
                                .toSeconds())
                : null;
    }

    /**
     * Clears the owner of a lease, so that another replica takes it.
     *
     * @return false if there is no such lease, or its owner renewed it at this moment
     */
    public boolean release(String token) {
        for (var document : leases.documents()) {
            if (document.path("LeaseToken").asText().equals(token)) {
                return leases.replaceUnchanged(((ObjectNode) document.deepCopy()).putNull("Owner"));
            }
        }
        return false;
    }

    /**
     * Removes all leases and the other documents of the processor; the next relay creates them again, and reads the
     * feed from its beginning.
     *
     * @return number of removed documents
     * @throws IllegalStateException if a running relay owns one
     */
    public int reset() {
        requireNoOwner();
        int removed = 0;
        for (var document : leases.documents()) {
            leases.remove(document);
            removed++;
        }
        return removed;
    }

    /**
     * Checks that no relay runs.
     *
     * @throws IllegalStateException if one owns a lease that it renewed lately
     */
    public void requireNoOwner() {
        var held = all().stream()
                .filter(Lease::isAlive)
                .map(Lease::owner)
                .distinct()
                .toList();
        if (!held.isEmpty()) {
            throw new IllegalStateException("relays hold leases, stop them first: " + held);
        }
    }
}
