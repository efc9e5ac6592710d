package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The documents by which the replicas' processors share one container's feed. Thread-safe. */
final class LeaseDocuments {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseDocuments.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String MARKER = ".info";

    private final LeaseContainer container;
    private final String leaseMark;

    /**
     * Those in a container of leases.
     *
     * @param prefix begins their ids
     * @param containerRid of the container read, which their ids contain
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

    /**
     * Removes the leases that the processor can't read. Their parts of the feed are read from the beginning by the
     * leases made in their place: the feed only signals, so reading it again is extra work and does no harm. An owner
     * that has written the document meanwhile has repaired it.
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
     * Without its markers the processor makes the leases that are missing at its next start, and keeps the others. The
     * SDK's own lease verification on restart does nothing for this kind of processor.
     */
    void forgetThatLeasesWereMade() {
        for (var document : container.documents()) {
            if (document.path("id").asText().endsWith(MARKER)) {
                container.remove(document);
            }
        }
    }
}
