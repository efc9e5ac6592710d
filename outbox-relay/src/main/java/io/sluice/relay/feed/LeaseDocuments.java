package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lease documents by which the processors of all replicas share the feed of a container. Thread-safe. */
final class LeaseDocuments {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseDocuments.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String MARKER = ".info";
    private static final String OWNER = "Owner";

    private final LeaseContainer container;
    private final String leaseMark;

    /**
     * The leases in a lease container.
     *
     * @param prefix begins the ids of the leases
     * @param containerRid resource id of the monitored container, which the ids of the leases contain
     */
    LeaseDocuments(CosmosAsyncContainer container, String prefix, String containerRid) {
        this.container = new LeaseContainer(container, prefix, TIMEOUT);
        this.leaseMark = containerRid + LeaseDefect.TOKEN_MARK;
    }

    /** The leases, well-formed or not. */
    List<JsonNode> leases() {
        return container.documents().stream()
                .filter(document -> document.path("id").asText().contains(leaseMark))
                .toList();
    }

    /** Whether a replica owns any lease in the container. */
    boolean isOwner(String replica, Duration timeout) {
        return container.isOwner(replica, timeout);
    }

    /** Gives up the leases of a replica whose processor has ended; one that has changed meanwhile is left alone. */
    void release(String replica) {
        for (var lease : leases()) {
            if (lease instanceof ObjectNode owned && owned.path(OWNER).asText().equals(replica)) {
                container.replaceUnchanged(owned.putNull(OWNER));
            }
        }
    }

    /**
     * Removes the leases that the processor can't read. The leases that replace them begin at the beginning of their
     * parts of the feed: the feed only signals, so reading it again is extra work and does no harm. An owner that has
     * written the document meanwhile has repaired it.
     *
     * @return how many were removed
     */
    int removeCorrupt() {
        int removed = 0;
        for (var lease : leases()) {
            var fault = LeaseDefect.in(lease);
            if (fault.isPresent() && container.removeUnchanged(lease)) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.LEASE, lease.path("id").asText())
                        .addKeyValue(LogKeys.REASON, fault.get())
                        .log("corrupt lease removed, its part of the feed is read from the beginning");
                removed++;
            }
        }
        return removed;
    }

    /**
     * Removes the markers by which the processor knows that the leases were created: at its next start it creates the
     * missing ones and keeps the others. The SDK's own lease verification on restart does nothing for this kind of
     * processor.
     */
    void removeCreationMarkers() {
        for (var document : container.documents()) {
            if (document.path("id").asText().endsWith(MARKER)) {
                container.remove(document);
            }
        }
    }
}
