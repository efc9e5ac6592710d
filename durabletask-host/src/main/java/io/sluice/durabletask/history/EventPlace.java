package io.sluice.durabletask.history;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where in a history an event stands, in the provider's numbers.
 *
 * @param eventId counts from 1 within an execution
 * @param sourceEventId the event that scheduled what this one completes; null where it completes none
 * @param timestampMillis since the epoch
 */
public record EventPlace(
        String instance,
        long executionId,
        long eventId,
        @Nullable Long sourceEventId,
        long timestampMillis) {
    public EventPlace {
        Objects.requireNonNull(instance, "instance");
    }
}
