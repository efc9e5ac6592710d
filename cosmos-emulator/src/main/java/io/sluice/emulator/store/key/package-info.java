/**
 * Partition keys and their place in the key space, hashed exactly as the service hashes them. Read
 * {@link io.sluice.emulator.store.key.PartitionKey} first.
 */
@NullMarked
package io.sluice.emulator.store.key;

import org.jspecify.annotations.NullMarked;
