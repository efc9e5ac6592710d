/**
 * What a process knows of the work of one queue, and decides: {@link io.sluice.provider.cosmos.work.index.WorkIndex}.
 * Without requests, threads and clocks.
 */
@NullMarked
package io.sluice.provider.cosmos.work.index;

import org.jspecify.annotations.NullMarked;
