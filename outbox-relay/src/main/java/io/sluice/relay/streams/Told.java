package io.sluice.relay.streams;

import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.LifecycleEvent;
import io.sluice.client.lifecycle.StuckInstance;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** What the tracking of an instance has to tell, each for a topic of its own. */
sealed interface Told {
    /**
     * A fact.
     *
     * @param source of the history event that it comes from
     */
    record Event(URI source, LifecycleEvent event) implements Told {}

    /**
     * A last state.
     *
     * @param status null when the instance was deleted
     */
    record Status(@Nullable InstanceStatus status) implements Told {}

    /**
     * An instance of which nothing is heard.
     *
     * @param stuck null when it moves again
     */
    record Stuck(@Nullable StuckInstance stuck) implements Told {}
}
