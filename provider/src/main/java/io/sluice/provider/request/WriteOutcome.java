package io.sluice.provider.request;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the store answered to a transactional batch. Every case is ordinary; none is an exception. There are four
 * groups, by what a caller can do about the answer: {@link Committed}, {@link Refused}, {@link Ambiguous} and
 * {@link Failed}.
 */
public sealed interface WriteOutcome {
    /**
     * Applied, all of it; one etag per operation, and the documents that {@link BatchWrite.Return} asked for, in their
     * order.
     */
    record Committed(List<String> etags, List<ObjectNode> documents, double requestUnits) implements WriteOutcome {
        public Committed {
            etags = List.copyOf(etags);
            documents = List.copyOf(documents);
        }

        /** The etag of the batch's first operation. */
        public String firstEtag() {
            return etags.get(0);
        }
    }

    /**
     * Nothing was applied, since a document is not as the batch expected: another writer was faster, or an earlier try
     * of this batch went through.
     *
     * @param index the operation that failed, never one that was merely not tried because of it
     */
    record Refused(Refusal refusal, int index) implements WriteOutcome {}

    /** How a document differs from what the batch expected. */
    enum Refusal {
        /** 409: the id is taken. */
        CONFLICT,
        /** 412: another version is there. */
        PRECONDITION_FAILED,
        /** 404: no such document. */
        NOT_FOUND
    }

    /** No answer (408, 5xx, a connection that broke): it may have been applied, or may yet be. */
    record Ambiguous(String message, @Nullable Throwable cause) implements WriteOutcome {}

    /** Nothing was applied, whatever the documents say: the store is busy, or does not accept the request. */
    sealed interface Failed extends WriteOutcome {
        /** What the store, or the client library, says about it. */
        String message();

        /** What the client library threw; null when it threw nothing. */
        @Nullable
        Throwable cause();
    }

    /** 429: come back after the pause. */
    record Throttled(Duration retryAfter, @Nullable Throwable cause) implements Failed {
        @Override
        public String message() {
            return "the store is throttling";
        }
    }

    /** Refused for a reason that passes (410, 449, a connection that was never made). */
    record Transient(String message, @Nullable Throwable cause) implements Failed {}

    /** The store refused it. Whether it will ever be applied is what {@link #isAboutTheStore()} says. */
    record Rejected(
            int statusCode,
            int subStatusCode,
            String message,
            @Nullable Throwable cause) implements Failed {
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

    /** One function for each group of answers: the only place that lists them. */
    default <T> T match(
            Function<? super Committed, ? extends T> committed,
            Function<? super Refused, ? extends T> refused,
            Function<? super Ambiguous, ? extends T> ambiguous,
            Function<? super Failed, ? extends T> failed) {
        if (this instanceof Committed c) {
            return committed.apply(c);
        }
        if (this instanceof Refused r) {
            return refused.apply(r);
        }
        if (this instanceof Ambiguous a) {
            return ambiguous.apply(a);
        }
        if (this instanceof Failed f) {
            return failed.apply(f);
        }
        throw new AssertionError("a new kind of answer: " + this);
    }

    /**
     * 413: whether a document, or the whole batch, would have more bytes than the service allows. Nothing was applied.
     */
    default boolean isTooLarge() {
        return this instanceof Rejected rejected && rejected.statusCode() == StatusCodes.TOO_LARGE;
    }

    /** Whether it was certainly not applied, for a reason that passes. */
    default boolean isOnlyForNow() {
        return this instanceof Throttled
                || this instanceof Transient
                || (this instanceof Rejected rejected && rejected.isAboutTheStore());
    }

    /** How long the store wants to be left alone; null when it named no time. */
    default @Nullable Duration retryAfter() {
        return null;
    }

    /** Whether a read of the documents shows what to do next: they are not as expected, or there was no answer. */
    default boolean needsReread() {
        return this instanceof Refused || this instanceof Ambiguous;
    }

    /** Whether the id of a document is taken. */
    default boolean isConflict() {
        return this instanceof Refused refused && refused.refusal() == Refusal.CONFLICT;
    }

    /** Whether a document is not there. */
    default boolean isNotFound() {
        return this instanceof Refused refused && refused.refusal() == Refusal.NOT_FOUND;
    }

    /** Whether there was no answer, so that it may have been applied, or may yet be. */
    default boolean isAmbiguous() {
        return this instanceof Ambiguous;
    }

    /** Whether it was applied. */
    default boolean isCommitted() {
        return this instanceof Committed;
    }
}
