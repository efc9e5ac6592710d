/**
 * Indexes of a partition's items by the values at a path, built when a query first asks for one and kept in memory.
 * Read {@link io.sluice.emulator.store.index.PathIndexes} first.
 */
@NullMarked
package io.sluice.emulator.store.index;

import org.jspecify.annotations.NullMarked;
