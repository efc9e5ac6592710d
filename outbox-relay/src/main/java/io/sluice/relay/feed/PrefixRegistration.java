package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import java.time.Duration;
import java.util.Optional;

/**
 * The prefix under which a store is published, in a document next to the leases. An answer to a purge marker permits
 * the deletion of history, and the relay that answers knows only one prefix: events that relays of another prefix had
 * not read by then would be missing from their topics for ever. So a store has one prefix, and relays of a second one
 * don't start. Thread-safe.
 *
 * @param leases the container of the document
 * @param containerRid resource id of the published container; it changes if the container is created again
 */
public record PrefixRegistration(CosmosAsyncContainer leases, String containerRid) {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String PREFIX = "prefix";
    private static final int CONFLICT = 409;

    /**
     * Checks that no other prefix is registered; writes nothing.
     *
     * @throws PrerequisiteException if one is, with the way to change it
     */
    public void requireFreeFor(String prefix) {
        prefix().filter(registered -> !registered.equals(prefix)).ifPresent(registered -> {
            throw new PrerequisiteException(
                    "this container is published under the prefix " + registered + " already, not " + prefix
                            + ": the relay of one would let history be deleted that the other has not read. Use that prefix, or, to change it permanently, stop all relays and run "
                            + "leases reset --yes with SLUICE_PREFIX=" + registered + " first",
                    null);
        });
    }

    /**
     * Registers a prefix if there is none; of several at the same moment one is registered.
     *
     * @throws PrerequisiteException as {@link #requireFreeFor}
     */
    public void register(String prefix) {
        var document = JsonNodeFactory.instance
                .objectNode()
                .put("id", id())
                .put("schemaVersion", 1)
                .put(PREFIX, prefix);
        try {
            if (prefix().isEmpty()) {
                leases.createItem(document, key(), null).block(TIMEOUT);
            }
        } catch (CosmosException e) {
            if (e.getStatusCode() != CONFLICT) {
                throw fault("register the prefix of the container", e);
            }
        }
        requireFreeFor(prefix);
    }

    /** Removes a prefix, so that another can be registered; does nothing if another is registered. */
    public void forget(String prefix) {
        if (prefix().filter(prefix::equals).isPresent()) {
            leases.deleteItem(id(), key()).block(TIMEOUT);
        }
    }

    /** The registered prefix; empty for none. */
    public Optional<String> prefix() {
        try {
            return leases.readItem(id(), key(), ObjectNode.class)
                    .blockOptional(TIMEOUT)
                    .map(answer -> (JsonNode) answer.getItem())
                    .map(document -> document.path(PREFIX).asText());
        } catch (CosmosException e) {
            if (MissingDocument.isMeantBy(e)) {
                return Optional.empty();
            }
            throw fault("read under which prefix the container is published", e);
        }
    }

    private static PrerequisiteException fault(String what, CosmosException cause) {
        return new PrerequisiteException("can't " + what + ": " + FailureReason.of(cause), cause);
    }

    private String id() {
        return "published-" + containerRid;
    }

    private PartitionKey key() {
        return new PartitionKey(id());
    }
}
