/** The page of all results, {@code docs/performance.md}, and its charts: functions of the results and of nothing else. */
@NullMarked
package io.sluice.benchmarks.page;

import org.jspecify.annotations.NullMarked;
