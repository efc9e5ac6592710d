/** What the pages of all benchmarks say in the same way: spreads over runs, and the machine. */
@NullMarked
package io.sluice.benchmarks.page;

import org.jspecify.annotations.NullMarked;
