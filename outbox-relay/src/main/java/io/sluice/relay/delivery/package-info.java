/**
 * Intents into their target partitions, in order and once. Read {@link io.sluice.relay.delivery.IntentDelivery} first.
 */
@NullMarked
package io.sluice.relay.delivery;

import org.jspecify.annotations.NullMarked;
