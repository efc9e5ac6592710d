/**
 * What a relay tells its operators: counts, health and the answers at its port. Read
 * {@link io.sluice.relay.ops.RelayStatus} first.
 */
@NullMarked
package io.sluice.relay.ops;

import org.jspecify.annotations.NullMarked;
