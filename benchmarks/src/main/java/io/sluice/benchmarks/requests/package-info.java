/** What each operation of the provider asks of the store: counts, the same on every machine. */
@NullMarked
package io.sluice.benchmarks.requests;

import org.jspecify.annotations.NullMarked;
