/** What a runtime asks of the store while it has nothing to do. */
@NullMarked
package io.sluice.benchmarks.idle;

import org.jspecify.annotations.NullMarked;
