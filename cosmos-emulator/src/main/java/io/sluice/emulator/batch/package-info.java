/**
 * Writes in several parts: transactional batches, bulk bodies and patches. Read
 * {@link io.sluice.emulator.batch.Batches} first.
 */
@NullMarked
package io.sluice.emulator.batch;

import org.jspecify.annotations.NullMarked;
