package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.ops.LogKeys;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The documents by which the replicas' processors share one container's feed. Thread-safe. */
final class LeaseDocuments {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseDocuments.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String MARKER = ".info";
    private static final int NOT_FOUND = 404;
    private static final int PRECONDITION_FAILED = 412;

    private final CosmosAsyncContainer container;
    private final String prefix;
    private final String leaseMark;

    /**
     * Those in a container of leases.
     *
     * @param prefix begins their ids
     * @param containerRid of the container read, which their ids contain
     */
    LeaseDocuments(CosmosAsyncContainer container, String prefix, String containerRid) {
        this.container = container;
        this.prefix = prefix;
        this.leaseMark = containerRid + LeaseFault.TOKEN_MARK;
    }

    /** The leases, well-formed or not. */
    List<JsonNode> leases() {
        return own().stream()
                .filter(document -> document.path("id").asText().contains(leaseMark))
                .toList();
    }

    /**
     * Removes the leases that the processor can't read. Their parts of the feed are read from the beginning by the leases made in their
     * place: for a feed that is only a doorbell that is work, and no harm.
     *
     * @return how many were removed
     */
    int removeCorrupt() {
        int removed = 0;
        for (var lease : leases()) {
            var fault = LeaseFault.in(lease);
            if (fault.isPresent() && removed(lease)) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.LEASE, lease.path("id").asText())
                        .addKeyValue(LogKeys.REASON, fault.get())
                        .log("corrupt lease removed, its part of the feed is read from the beginning");
                removed++;
            }
        }
        return removed;
    }

    /** Only this version: an owner that wrote it anew meanwhile has mended it. */
    private boolean removed(JsonNode lease) {
        var id = lease.path("id").asText();
        var options = new CosmosItemRequestOptions()
                .setIfMatchETag(lease.path("_etag").asText());
        try {
            container.deleteItem(id, new PartitionKey(id), options).block(TIMEOUT);
            return true;
        } catch (CosmosException e) {
            if (e.getStatusCode() == NOT_FOUND || e.getStatusCode() == PRECONDITION_FAILED) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Without its markers the processor makes the leases that are missing at its next start, and keeps the others. The
     * SDK's own lease verification on restart does nothing for this kind of processor.
     */
    void forgetThatLeasesWereMade() {
        for (var document : own()) {
            var id = document.path("id").asText();
            if (id.endsWith(MARKER)) {
                container.deleteItem(id, new PartitionKey(id)).block(TIMEOUT);
            }
        }
    }

    private List<JsonNode> own() {
        return container
                .queryItems("SELECT * FROM c", JsonNode.class)
                .collectList()
                .blockOptional(TIMEOUT)
                .orElse(List.of())
                .stream()
                .filter(document -> document.path("id").asText().startsWith(prefix))
                .toList();
    }
}
