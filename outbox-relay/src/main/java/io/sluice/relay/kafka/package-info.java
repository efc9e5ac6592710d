/**
 * The clients of Kafka that the relay uses, and their settings. Read {@link io.sluice.relay.kafka.KafkaAccess} first.
 */
@NullMarked
package io.sluice.relay.kafka;

import org.jspecify.annotations.NullMarked;
