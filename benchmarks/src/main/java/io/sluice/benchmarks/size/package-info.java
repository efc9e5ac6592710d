/** What operations cost in a store of any size. */
@NullMarked
package io.sluice.benchmarks.size;

import org.jspecify.annotations.NullMarked;
