/**
 * What lies in a folder: H2's MVStore, and a journal of the transactions that are not in it yet. Read
 * {@link io.sluice.emulator.store.disk.Storage} first.
 */
@NullMarked
package io.sluice.emulator.store.disk;

import org.jspecify.annotations.NullMarked;
