/**
 * Histories into Kafka, each event once: records and the position they were read at share a transaction. Read
 * {@link io.sluice.relay.lifecycle.RangePublisher} first.
 */
@NullMarked
package io.sluice.relay.lifecycle;

import org.jspecify.annotations.NullMarked;
