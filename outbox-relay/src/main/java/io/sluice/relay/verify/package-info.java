/**
 * Compares the histories in the store with the history topic: what is lost, twice, altered or out of order. Read {@link
 * io.sluice.relay.verify.Verification} first.
 */
@NullMarked
package io.sluice.relay.verify;

import org.jspecify.annotations.NullMarked;
