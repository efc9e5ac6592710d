/**
 * The built-in functions, by family, and the aggregates. Read {@link io.sluice.emulator.query.function.BuiltIn} first.
 */
@NullMarked
package io.sluice.emulator.query.function;

import org.jspecify.annotations.NullMarked;
