/**
 * The business of the example: the order book read from CSV, the orchestrations an order runs through, and the
 * activities they call. Read {@link io.sluice.examples.orders.OrderFulfilment} first.
 */
@NullMarked
package io.sluice.examples.orders;

import org.jspecify.annotations.NullMarked;
