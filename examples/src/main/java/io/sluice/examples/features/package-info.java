/**
 * One small program for each promise, with a {@code main}: each sets a scene, breaks something, and shows what the user
 * sees. They need nothing but this machine, or take the account and the Kafka that the environment names.
 * {@link io.sluice.examples.features.LeaseExample} is the shortest.
 */
@NullMarked
package io.sluice.examples.features;

import org.jspecify.annotations.NullMarked;
