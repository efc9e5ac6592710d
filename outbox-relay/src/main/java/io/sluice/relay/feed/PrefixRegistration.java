package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.program.FailureReason;
import io.sluice.program.PrerequisiteException;
import io.sluice.provider.outbox.PublishedPrefix;
import java.time.Duration;
import java.util.Optional;

/**
 * The prefix under which a store is published, in a document of the container itself. An answer to a purge marker
 * permits the deletion of history, and the relay that answers knows only one prefix: events that relays of another
 * prefix had not read by then would be missing from their topics for ever. So a store has one prefix, and relays of a
 * second one don't start. Thread-safe.
 *
 * @param container the published container
 * @param containerRid its resource id; it changes if the container is created again
 */
public record PrefixRegistration(CosmosAsyncContainer container, String containerRid) {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final String QUESTION = "under which prefix the container is published";
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
                            + "prefix release --yes with SLUICE_PREFIX=" + registered + " first",
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
                .put("instanceId", PublishedPrefix.PARTITION)
                .put("type", "relay_prefix")
                .put("schemaVersion", 1)
                .put(PublishedPrefix.FIELD, prefix);
        try {
            if (prefix().isEmpty()) {
                BoundedAnswer.of(
                        container.createItem(document, key(), null),
                        TIMEOUT,
                        "to register the prefix of the container");
            }
        } catch (CosmosException e) {
            if (e.getStatusCode() != CONFLICT) {
                throw fault("register the prefix of the container", e);
            }
        } catch (LateAnswerException e) {
            throw new PrerequisiteException("can't register the prefix of the container: " + e.getMessage(), e);
        }
        requireFreeFor(prefix);
    }

    /**
     * Removes a prefix, so that another can be registered.
     *
     * @return false if it is not registered
     * @throws PrerequisiteException if the store refuses or does not answer
     */
    public boolean forget(String prefix) {
        if (prefix().filter(prefix::equals).isEmpty()) {
            return false;
        }
        try {
            BoundedAnswer.of(container.deleteItem(id(), key()), TIMEOUT, "to release the prefix of the container");
        } catch (CosmosException e) {
            throw fault("release the prefix of the container", e);
        } catch (LateAnswerException e) {
            throw new PrerequisiteException("can't release the prefix of the container: " + e.getMessage(), e);
        }
        return true;
    }

    /** The registered prefix; empty for none. */
    public Optional<String> prefix() {
        try {
            return BoundedAnswer.of(container.readItem(id(), key(), ObjectNode.class), TIMEOUT, QUESTION)
                    .map(answer -> (JsonNode) answer.getItem())
                    .map(document -> document.path(PublishedPrefix.FIELD).asText());
        } catch (CosmosException e) {
            if (MissingDocument.isMeantBy(e)) {
                return Optional.empty();
            }
            throw fault("read " + QUESTION, e);
        } catch (LateAnswerException e) {
            throw new PrerequisiteException("can't read " + QUESTION + ": " + e.getMessage(), e);
        }
    }

    private static PrerequisiteException fault(String what, CosmosException cause) {
        return new PrerequisiteException("can't " + what + ": " + FailureReason.of(cause), cause);
    }

    private String id() {
        return PublishedPrefix.id(containerRid);
    }

    private static PartitionKey key() {
        return new PartitionKey(PublishedPrefix.PARTITION);
    }
}
