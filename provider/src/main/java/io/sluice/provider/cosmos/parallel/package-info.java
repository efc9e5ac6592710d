/**
 * Work on several things at a time, on the caller's thread and on threads of the provider's own. Start with
 * {@link io.sluice.provider.cosmos.parallel.WorkerThreads}.
 */
@NullMarked
package io.sluice.provider.cosmos.parallel;

import org.jspecify.annotations.NullMarked;
