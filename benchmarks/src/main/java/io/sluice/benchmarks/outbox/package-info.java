/**
 * How soon an intent reaches its target, and what that costs, by the ack itself, by the relay, and by a reconciler that
 * polls.
 */
@NullMarked
package io.sluice.benchmarks.outbox;

import org.jspecify.annotations.NullMarked;
