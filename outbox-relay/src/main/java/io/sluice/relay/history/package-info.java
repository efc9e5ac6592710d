/**
 * Publishes histories to Kafka, each event once: the events of a page and the position after it share a transaction.
 * Read {@link io.sluice.relay.history.RangePublisher} first.
 */
@NullMarked
package io.sluice.relay.history;

import org.jspecify.annotations.NullMarked;
