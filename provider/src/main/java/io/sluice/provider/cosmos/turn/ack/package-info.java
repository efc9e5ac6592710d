/**
 * How a turn is committed: a plan without side effects, one write, what it means when that gets no answer, and what
 * follows.
 */
@NullMarked
package io.sluice.provider.cosmos.turn.ack;

import org.jspecify.annotations.NullMarked;
