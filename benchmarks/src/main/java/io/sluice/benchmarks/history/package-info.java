/** What a turn costs as the history of its instance grows. */
@NullMarked
package io.sluice.benchmarks.history;

import org.jspecify.annotations.NullMarked;
