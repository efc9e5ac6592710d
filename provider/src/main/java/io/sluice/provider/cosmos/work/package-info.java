/**
 * Which work a dispatcher gets next: one index a queue and process, without requests, threads or a clock. Start with
 * {@link io.sluice.provider.cosmos.work.WorkIndex}.
 */
@NullMarked
package io.sluice.provider.cosmos.work;

import org.jspecify.annotations.NullMarked;
