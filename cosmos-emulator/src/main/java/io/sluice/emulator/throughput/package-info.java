/**
 * What requests cost, in request units, by a simple documented model: see
 * {@link io.sluice.emulator.throughput.RequestUnits}.
 */
@NullMarked
package io.sluice.emulator.throughput;

import org.jspecify.annotations.NullMarked;
