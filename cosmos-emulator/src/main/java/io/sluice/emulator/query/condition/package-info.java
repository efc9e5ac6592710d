/**
 * Conditions on a query's documents that an index can answer, found in its filter and its order. Read
 * {@link io.sluice.emulator.query.condition.IndexConditionFinder} first.
 */
@NullMarked
package io.sluice.emulator.query.condition;

import org.jspecify.annotations.NullMarked;
