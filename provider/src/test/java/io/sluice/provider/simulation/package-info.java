/**
 * Processes of every kind work on one store under one seed, which decides what happens next, what is lost on the way
 * and who dies: start with {@link io.sluice.provider.simulation.World}.
 */
@NullMarked
package io.sluice.provider.simulation;

import org.jspecify.annotations.NullMarked;
