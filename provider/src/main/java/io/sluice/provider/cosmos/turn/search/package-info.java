/**
 * What searches for turns remember from one to the next: how far a queue was looked through, what did not suit, and
 * what waits for its start.
 */
@NullMarked
package io.sluice.provider.cosmos.turn.search;

import org.jspecify.annotations.NullMarked;
