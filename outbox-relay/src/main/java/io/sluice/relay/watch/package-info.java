/**
 * Monitoring of a running relay: its lag, its liveness, the latest events and the assignment of work. Read
 * {@link io.sluice.relay.watch.LagMonitor} first.
 */
@NullMarked
package io.sluice.relay.watch;

import org.jspecify.annotations.NullMarked;
