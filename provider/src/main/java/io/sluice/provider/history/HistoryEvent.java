package io.sluice.provider.history;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened in an execution. Histories are append-only; ids and times are given by the runtime, never by
 * a provider.
 *
 * <p>Numbers are unsigned 64-bit on the wire and keep their bits here, so whatever Rust wrote comes back unharmed; only
 * values from 2<sup>63</sup> on, which no runtime assigns as ids, read as negative. {@link #of} refuses them.
 *
 * @param eventId counts from 1 within an execution
 * @param sourceEventId the scheduling event that this one completes or cancels
 * @param timestampMillis when the runtime made it, milliseconds since the epoch
 * @param duroxideVersion semantic version of the runtime that made it; any text survives
 * @param kind what happened
 * @param extras fields of a newer runtime, carried along
 */
public record HistoryEvent(
        long eventId,
        @JsonInclude @Nullable Long sourceEventId,
        String instanceId,
        long executionId,
        @JsonProperty("timestamp_ms") long timestampMillis,
        String duroxideVersion,
        EventKind kind,
        ExtraFields extras) {
    public HistoryEvent {
        Objects.requireNonNull(instanceId, "instanceId");
        Objects.requireNonNull(duroxideVersion, "duroxideVersion");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(extras, "extras");
    }

    /**
     * An event that completes no other.
     *
     * @throws IllegalArgumentException when a number is negative
     */
    public static HistoryEvent of(
            long eventId,
            String instanceId,
            long executionId,
            long timestampMillis,
            String duroxideVersion,
            EventKind kind) {
        return new HistoryEvent(
                notNegative("eventId", eventId),
                null,
                instanceId,
                notNegative("executionId", executionId),
                notNegative("timestampMillis", timestampMillis),
                duroxideVersion,
                kind,
                ExtraFields.NONE);
    }

    /**
     * The same event, completing or cancelling what {@code scheduledBy} scheduled.
     *
     * @throws IllegalArgumentException when the id is negative
     */
    public HistoryEvent withSourceEventId(long scheduledBy) {
        return new HistoryEvent(
                eventId,
                notNegative("sourceEventId", scheduledBy),
                instanceId,
                executionId,
                timestampMillis,
                duroxideVersion,
                kind,
                extras);
    }

    /** The same event, of this instance. */
    public HistoryEvent ofInstance(String instance) {
        return instance.equals(instanceId)
                ? this
                : new HistoryEvent(
                        eventId, sourceEventId, instance, executionId, timestampMillis, duroxideVersion, kind, extras);
    }

    /** The event type as it is written, such as {@code ActivityCompleted}. */
    public String type() {
        return kind.type();
    }

    private static long notNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " must not be negative, was " + value);
        }
        return value;
    }
}
