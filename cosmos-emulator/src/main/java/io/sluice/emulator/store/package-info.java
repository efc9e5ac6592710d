/**
 * What the emulator keeps: databases, containers, their physical partitions and items, on H2's MVStore. Read {@link
 * io.sluice.emulator.store.Partition} first: its lock and log sequence number are what everything else rests on.
 */
@NullMarked
package io.sluice.emulator.store;

import org.jspecify.annotations.NullMarked;
