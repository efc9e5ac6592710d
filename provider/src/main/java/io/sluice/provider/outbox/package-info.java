/**
 * Delivery across partitions, exactly once: an intent in the source's partition, a receipt next to the document in the
 * target's. Used by the ack's own try and by the relay; start with {@link io.sluice.provider.outbox.IntentOutbox} and
 * {@link io.sluice.provider.outbox.CommandInbox}.
 */
@NullMarked
package io.sluice.provider.outbox;

import org.jspecify.annotations.NullMarked;
