/**
 * Databases, containers and their physical partitions, with the transactions that change items. Read
 * {@link io.sluice.emulator.store.Partition} first: its lock and log sequence number keep every transaction whole.
 */
@NullMarked
package io.sluice.emulator.store;

import org.jspecify.annotations.NullMarked;
