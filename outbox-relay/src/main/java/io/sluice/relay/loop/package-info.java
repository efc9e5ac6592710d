/**
 * Background threads: loops that can be stopped, pauses between retries, and thread pools. Read
 * {@link io.sluice.relay.loop.Loop} first.
 */
@NullMarked
package io.sluice.relay.loop;

import org.jspecify.annotations.NullMarked;
