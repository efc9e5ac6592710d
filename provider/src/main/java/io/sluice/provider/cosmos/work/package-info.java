/**
 * Which work a dispatcher gets next: one index a queue and process, without requests, threads or a clock. Start with
 * {@link io.sluice.provider.cosmos.work.WorkIndex}. It is behind a switch of the builder that tests set: {@code
 * cosmos.candidate} answers until it does.
 */
@NullMarked
package io.sluice.provider.cosmos.work;

import org.jspecify.annotations.NullMarked;
