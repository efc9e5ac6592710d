/**
 * Turns: how one is fetched under a lock, and acked in one batch. Each step is split into reading, a plan without side
 * effects, and one write. Start with {@link io.sluice.provider.cosmos.turn.Turns}.
 */
@NullMarked
package io.sluice.provider.cosmos.turn;

import org.jspecify.annotations.NullMarked;
