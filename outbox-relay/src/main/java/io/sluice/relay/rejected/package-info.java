/**
 * Rejected commands: operators list them and send them again. Read
 * {@link io.sluice.relay.rejected.RejectedCommandAdmin} first.
 */
@NullMarked
package io.sluice.relay.rejected;

import org.jspecify.annotations.NullMarked;
