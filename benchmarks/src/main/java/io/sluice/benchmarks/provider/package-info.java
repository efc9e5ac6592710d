/** How fast the dispatchers of one process are, and what the work of each costs. */
@NullMarked
package io.sluice.benchmarks.provider;

import org.jspecify.annotations.NullMarked;
