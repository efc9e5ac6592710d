/** What every benchmark is, so that one program runs, writes and shows them all. */
@NullMarked
package io.sluice.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
