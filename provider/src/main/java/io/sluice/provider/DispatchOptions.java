package io.sluice.provider;

import io.sluice.provider.json.Surrogates;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What goes along with everything a turn sends to other instances.
 *
 * @param correlationId names the larger thing it is part of; null for the sending instance's id
 * @param deadline from then on it is not delivered any more but fails permanently: the receiver gets nothing, and a
 *     parent is told that its child could not be started; by the store's time. Null for none
 * @param trace the trace it belongs to; null for the trace of the first consumed message that carries one
 */
public record DispatchOptions(
        @Nullable String correlationId,
        @Nullable Instant deadline,
        @Nullable TraceContext trace) {
    /** Nothing said. */
    public static final DispatchOptions NONE = new DispatchOptions(null, null, null);

    private static final Instant LATEST = Instant.ofEpochMilli(WorkItem.LATEST_MILLIS);
    private static final int MAX_CORRELATION_ID_LENGTH = 512;

    public DispatchOptions {
        if (correlationId != null && (correlationId.isEmpty() || correlationId.length() > MAX_CORRELATION_ID_LENGTH)) {
            throw new IllegalArgumentException("correlationId must have 1 to " + MAX_CORRELATION_ID_LENGTH
                    + " characters, had " + correlationId.length());
        }
        if (correlationId != null) {
            Surrogates.refuse("correlationId", correlationId);
        }
        if (deadline != null && (!deadline.isAfter(Instant.EPOCH) || deadline.isAfter(LATEST))) {
            throw new IllegalArgumentException(
                    "deadline must be after 1970 and at most " + LATEST + ", was " + deadline);
        }
    }

    /** The same with a deadline. */
    public DispatchOptions withDeadline(Instant newDeadline) {
        return new DispatchOptions(correlationId, newDeadline, trace);
    }

    /** The same with a correlation id. */
    public DispatchOptions withCorrelationId(String newCorrelationId) {
        return new DispatchOptions(newCorrelationId, deadline, trace);
    }

    /** The same within a trace. */
    public DispatchOptions withTrace(TraceContext newTrace) {
        return new DispatchOptions(correlationId, deadline, newTrace);
    }
}
