/**
 * Every call is made of the provider and of the contract in memory, which must come to the same: start with {@link
 * io.sluice.provider.world.game.Game}.
 */
@NullMarked
package io.sluice.provider.world.game;

import org.jspecify.annotations.NullMarked;
