/**
 * Batches as the SDK for .NET sends them: rows of a fixed layout rather than JSON. Read
 * {@link io.sluice.emulator.document.hybridrow.HybridRow} first.
 */
@NullMarked
package io.sluice.emulator.document.hybridrow;

import org.jspecify.annotations.NullMarked;
