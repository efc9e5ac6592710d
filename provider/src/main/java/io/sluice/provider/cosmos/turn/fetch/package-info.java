/**
 * How a turn is taken: a candidate is read and locked, and what a dispatcher gets is made of it.
 */
@NullMarked
package io.sluice.provider.cosmos.turn.fetch;

import org.jspecify.annotations.NullMarked;
