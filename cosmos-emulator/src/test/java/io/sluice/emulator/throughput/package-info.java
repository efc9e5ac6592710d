@NullMarked
package io.sluice.emulator.throughput;

import org.jspecify.annotations.NullMarked;
