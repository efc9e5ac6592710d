/** The page of all results, {@code docs/performance.md}, written from the stored reports alone. */
@NullMarked
package io.sluice.benchmarks.page;

import org.jspecify.annotations.NullMarked;
