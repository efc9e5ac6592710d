/**
 * Which work a dispatcher gets next: one index a queue and process, without requests, threads or a clock. Start with
 * {@link io.sluice.provider.cosmos.work.WorkIndex}. A switch of the builder that tests set turns it on; by default
 * {@code cosmos.candidate} answers.
 */
@NullMarked
package io.sluice.provider.cosmos.work;

import org.jspecify.annotations.NullMarked;
