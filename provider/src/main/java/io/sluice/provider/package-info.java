/**
 * The storage contract a durable-orchestration runtime codes against: queues with peek-lock, append-only history, and
 * turns that commit atomically. Read {@link io.sluice.provider.Provider} first;
 * {@code io.sluice.provider.cosmos.CosmosProvider} implements it.
 */
@NullMarked
package io.sluice.provider;

import org.jspecify.annotations.NullMarked;
