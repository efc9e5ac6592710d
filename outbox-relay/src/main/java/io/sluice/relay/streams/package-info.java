/**
 * What follows from the history topic: business facts, last states, statistics and instances that are stuck, by Kafka Streams
 * with exactly-once processing. {@link io.sluice.relay.streams.Tracking} decides, {@link io.sluice.relay.streams.Insight} wires.
 */
@NullMarked
package io.sluice.relay.streams;

import org.jspecify.annotations.NullMarked;
