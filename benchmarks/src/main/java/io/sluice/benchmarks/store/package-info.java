/** A store on the emulator, and ways to fill it fast. */
@NullMarked
package io.sluice.benchmarks.store;

import org.jspecify.annotations.NullMarked;
