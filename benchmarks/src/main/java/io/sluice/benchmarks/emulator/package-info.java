/** What the emulator itself costs: start, memory, requests per second, and queries over containers of many sizes. */
@NullMarked
package io.sluice.benchmarks.emulator;

import org.jspecify.annotations.NullMarked;
