/**
 * What failed for good, kept with its reason and its original bytes. Read
 * {@link io.sluice.relay.deadletter.DeadLetter} first.
 */
@NullMarked
package io.sluice.relay.deadletter;

import org.jspecify.annotations.NullMarked;
