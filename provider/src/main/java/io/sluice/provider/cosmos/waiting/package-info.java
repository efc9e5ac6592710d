/**
 * What waits in a store to be taken, for operators: {@link io.sluice.provider.cosmos.waiting.SharedWaitingWork}.
 */
@NullMarked
package io.sluice.provider.cosmos.waiting;

import org.jspecify.annotations.NullMarked;
