/**
 * Derives lifecycle events, statuses, statistics and stuck instances from the history topic, by Kafka Streams with
 * exactly-once processing. {@link io.sluice.relay.streams.LifecycleTopology} shows the topology,
 * {@link io.sluice.relay.streams.InstanceStateMachine} applies one event to the state of its instance.
 */
@NullMarked
package io.sluice.relay.streams;

import org.jspecify.annotations.NullMarked;
