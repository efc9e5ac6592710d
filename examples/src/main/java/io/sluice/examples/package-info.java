/**
 * The order fulfilment demo: the whole pipeline on one machine. Read {@link io.sluice.examples.OrderFulfilmentDemo}
 * first.
 */
@NullMarked
package io.sluice.examples;

import org.jspecify.annotations.NullMarked;
