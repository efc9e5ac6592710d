/**
 * What a value is to the query language: types, equality, order and arithmetic. Read
 * {@link io.sluice.emulator.query.value.JsonValues} first.
 */
@NullMarked
package io.sluice.emulator.query.value;

import org.jspecify.annotations.NullMarked;
