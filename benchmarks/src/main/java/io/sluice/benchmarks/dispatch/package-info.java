/** What it costs and how fast it is when runtimes are told where work is, beside runtimes that query for it. */
@NullMarked
package io.sluice.benchmarks.dispatch;

import org.jspecify.annotations.NullMarked;
