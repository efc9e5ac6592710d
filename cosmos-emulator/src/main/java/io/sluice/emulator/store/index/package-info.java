/** Indexes of a partition's items by the values at paths, made when a query asks for one and kept in memory. */
@NullMarked
package io.sluice.emulator.store.index;

import org.jspecify.annotations.NullMarked;
