package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.StuckInstance;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** An output of the instance processor; each kind goes to a topic of its own. */
sealed interface InstanceUpdate {
    /**
     * A lifecycle event.
     *
     * @param source of the history event that it comes from
     */
    record Event(URI source, LifecycleEvent event) implements InstanceUpdate {}

    /**
     * A new status.
     *
     * @param status null when the instance was deleted
     */
    record Status(@Nullable InstanceStatus status) implements InstanceUpdate {}

    /**
     * An instance without new events.
     *
     * @param stuck null when it has a new event
     */
    record Stuck(@Nullable StuckInstance stuck) implements InstanceUpdate {}
}
