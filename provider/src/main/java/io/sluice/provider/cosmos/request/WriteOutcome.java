package io.sluice.provider.cosmos.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the store answered to a transactional batch. Every case is ordinary; none is an exception. The index names the operation that failed,
 * never one that was merely not tried because of it.
 */
public sealed interface WriteOutcome {
    /** Applied, all of it; one etag per operation, and the documents that {@link BatchWrite.Return} asked for, in their order. */
    record Committed(List<String> etags, List<ObjectNode> documents, double requestUnits) implements WriteOutcome {
        public Committed {
            etags = List.copyOf(etags);
            documents = List.copyOf(documents);
        }
    }

    /** 409: the id is taken. Nothing was applied. */
    record Conflict(int index) implements WriteOutcome {}

    /** 412: another version is there. Nothing was applied. */
    record PreconditionFailed(int index) implements WriteOutcome {}

    /** 404: no such document. Nothing was applied. */
    record NotFound(int index) implements WriteOutcome {}

    /** 429: nothing was applied; come back after the pause. */
    record Throttled(Duration retryAfter, @Nullable Throwable cause) implements WriteOutcome {}

    /** Refused for a reason that passes (410, 449, a connection that was never made): nothing was applied. */
    record Transient(String message, @Nullable Throwable cause) implements WriteOutcome {}

    /** No answer (408, 5xx, a connection that broke): it may have been applied, or may yet be. */
    record Ambiguous(String message, @Nullable Throwable cause) implements WriteOutcome {}

    /** The store refused it. Nothing was applied; whether it ever will be is what {@link #isAboutTheStore()} says. */
    record Rejected(
            int statusCode,
            int subStatusCode,
            String message,
            @Nullable Throwable cause) implements WriteOutcome {
        /**
         * Whether it says nothing about this request: a wrong key, a missing role, a firewall, a missing container.
         * Keys are rotated, roles granted and containers restored, so the same request may be taken later.
         */
        public boolean isAboutTheStore() {
            return switch (statusCode) {
                case StatusCodes.NONE, StatusCodes.BAD_REQUEST, StatusCodes.TOO_LARGE -> false;
                case StatusCodes.FORBIDDEN -> !isPartitionFull();
                default -> true;
            };
        }

        /** Whether this request would be refused at any time and in any state of the store. */
        public boolean isAboutTheRequest() {
            return !isAboutTheStore() && !isPartitionFull();
        }

        /** Whether the instance's partition holds as much as the service allows. */
        public boolean isPartitionFull() {
            return statusCode == StatusCodes.FORBIDDEN && subStatusCode == StatusCodes.PARTITION_FULL;
        }
    }

    /** 413: whether a document, or the whole batch, would have more bytes than the service allows. Nothing was applied. */
    default boolean isTooLarge() {
        return this instanceof Rejected rejected && rejected.statusCode() == StatusCodes.TOO_LARGE;
    }

    /** Whether it was certainly not applied, for a reason that passes. */
    default boolean isOnlyForNow() {
        return this instanceof Throttled
                || this instanceof Transient
                || (this instanceof Rejected rejected && rejected.isAboutTheStore());
    }

    /** How long the store wants to be left alone; null when it said nothing of the kind. */
    default @Nullable Duration retryAfter() {
        return null;
    }

    /** Whether it was applied. */
    default boolean isCommitted() {
        return this instanceof Committed;
    }
}
