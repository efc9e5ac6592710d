/**
 * Turns: what a worker answers becomes what a provider commits. Start with
 * {@link io.sluice.durabletask.turn.Actions}.
 */
@NullMarked
package io.sluice.durabletask.turn;

import org.jspecify.annotations.NullMarked;
