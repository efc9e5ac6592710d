/** RequestCost figures, each reprinted by a command: requests and request units per operation first. */
@NullMarked
package io.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;
