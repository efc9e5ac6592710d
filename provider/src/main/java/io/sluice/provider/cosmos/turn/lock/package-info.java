/**
 * Turns that this process holds: their locks are kept, renewed, lost, or given back.
 */
@NullMarked
package io.sluice.provider.cosmos.turn.lock;

import org.jspecify.annotations.NullMarked;
