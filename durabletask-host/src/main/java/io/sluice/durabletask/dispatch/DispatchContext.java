package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.worker.Workers;
import io.sluice.provider.cosmos.CosmosProvider;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * What all parts of the dispatch of one task hub share.
 *
 * @param hub name of the task hub
 * @param host names this process in completion tokens; another one after each start
 * @param clock what orchestrations take for the time
 * @param nanoTime for locks, as {@link System#nanoTime}
 */
public record DispatchContext(
        String hub,
        String host,
        CosmosProvider provider,
        Workers workers,
        DispatchTiming timing,
        DispatchLimits limits,
        DispatchMeters meters,
        InstantSource clock,
        LongSupplier nanoTime) {}
