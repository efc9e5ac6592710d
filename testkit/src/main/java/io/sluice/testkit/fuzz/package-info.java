/**
 * Damage to valid texts, by a seed, and the judgement of what a reader makes of it; {@link io.sluice.testkit.fuzz.Fuzz}
 * is where to begin.
 */
@NullMarked
package io.sluice.testkit.fuzz;

import org.jspecify.annotations.NullMarked;
