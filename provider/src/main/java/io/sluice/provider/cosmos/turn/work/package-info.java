/**
 * Which instances have turns to take: the queue of turns as the dispatchers of this process see and search it.
 */
@NullMarked
package io.sluice.provider.cosmos.turn.work;

import org.jspecify.annotations.NullMarked;
