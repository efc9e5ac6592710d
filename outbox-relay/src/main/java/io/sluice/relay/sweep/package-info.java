/**
 * Finds intents: those that the change feed shows, and by sweeps those that nobody reads from it any more. Read
 * {@link io.sluice.relay.sweep.Sweep} first.
 */
@NullMarked
package io.sluice.relay.sweep;

import org.jspecify.annotations.NullMarked;
