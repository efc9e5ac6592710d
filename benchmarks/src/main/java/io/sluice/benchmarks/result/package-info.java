/** What benchmarks found out, as it is kept in {@code docs/benchmarks/*.json}. */
@NullMarked
package io.sluice.benchmarks.result;

import org.jspecify.annotations.NullMarked;
