/**
 * Processes of every kind work on one store under one seed, which decides what happens next, what is lost on the way
 * and who dies: start with {@link io.sluice.provider.world.World}.
 */
@NullMarked
package io.sluice.provider.world;

import org.jspecify.annotations.NullMarked;
