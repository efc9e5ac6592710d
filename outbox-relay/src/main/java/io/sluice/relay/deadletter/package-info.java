/**
 * Dead letters: intents and commands that failed permanently, with the reason and the original bytes. Read
 * {@link io.sluice.relay.deadletter.DeadLetter} first.
 */
@NullMarked
package io.sluice.relay.deadletter;

import org.jspecify.annotations.NullMarked;
