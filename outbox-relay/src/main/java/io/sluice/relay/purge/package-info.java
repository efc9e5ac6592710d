/**
 * Answers purge markers, which permits the deletion of history that was published. Read
 * {@link io.sluice.relay.purge.PurgeResponder} first.
 */
@NullMarked
package io.sluice.relay.purge;

import org.jspecify.annotations.NullMarked;
