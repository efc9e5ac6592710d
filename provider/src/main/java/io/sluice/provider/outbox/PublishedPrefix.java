package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import java.util.Optional;

/**
 * The prefix of topics under which a store is published, as relays register it in a document of the container itself at
 * their first start. It stays while no relay runs, until it is released. Thread-safe.
 *
 * @param containerRid the container's resource id; a container that is created again is not published yet
 */
public record PublishedPrefix(ContainerRequests requests, String containerRid) {
    /** The partition of the document. */
    public static final String PARTITION = DocumentIds.STORE;
    /** Its field with the prefix. */
    public static final String FIELD = "prefix";

    /** The document's id. */
    public static String id(String containerRid) {
        return "published-" + containerRid;
    }

    /**
     * The registered prefix; empty for none. One point read.
     *
     * @throws ProviderException retryable when the store gave no answer in time
     */
    public Optional<String> read(Call call) {
        return requests.read(call, PARTITION, id(containerRid))
                .map(document -> document.path(FIELD))
                .map(JsonNode::asText);
    }
}
