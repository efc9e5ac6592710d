/**
 * What the run cost: how long intents took to their targets, and how many requests the store answered. Read
 * {@link io.sluice.examples.measure.OutboxLatency} first.
 */
@NullMarked
package io.sluice.examples.measure;

import org.jspecify.annotations.NullMarked;
