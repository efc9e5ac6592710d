package io.sluice.provider;

import java.util.Objects;

/**
 * Names a scheduled activity.
 *
 * @param activityId id of the event that scheduled it
 */
public record ScheduledActivityIdentifier(String instance, long executionId, long activityId) {
    public ScheduledActivityIdentifier {
        Objects.requireNonNull(instance, "instance");
    }
}
