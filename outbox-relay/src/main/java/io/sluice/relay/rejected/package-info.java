/**
 * Commands that were refused, as operators see them and send them again. Read
 * {@link io.sluice.relay.rejected.RejectedCommandAdmin} first.
 */
@NullMarked
package io.sluice.relay.rejected;

import org.jspecify.annotations.NullMarked;
