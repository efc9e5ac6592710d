package io.sluice.client.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A running instance of which nothing was heard for longer than the threshold, the value of {@code <prefix>.stuck}; a
 * tombstone follows when it moves, ends or is deleted.
 *
 * @param lastEventAt time of its latest event
 * @param lastEvent type of that history event, such as {@code ActivityScheduled}
 * @param threshold how long an instance may be silent
 */
public record StuckInstance(
        String instance,
        @Nullable String orchestration,
        @Nullable String version,
        long execution,
        Instant lastEventAt,
        String lastEvent,
        Duration threshold) {
    public StuckInstance {
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(lastEventAt, "lastEventAt");
        Objects.requireNonNull(lastEvent, "lastEvent");
        Objects.requireNonNull(threshold, "threshold");
    }
}
