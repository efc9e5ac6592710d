/**
 * Versions of items and changes of them, and how both are encoded for the disk. Read
 * {@link io.sluice.emulator.store.item.StoredItem} first.
 */
@NullMarked
package io.sluice.emulator.store.item;

import org.jspecify.annotations.NullMarked;
