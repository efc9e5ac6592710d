/** What one small orchestration takes, from its start to its end. */
@NullMarked
package io.sluice.benchmarks.hello;

import org.jspecify.annotations.NullMarked;
