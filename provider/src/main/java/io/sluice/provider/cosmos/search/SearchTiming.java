package io.sluice.provider.cosmos.search;

import java.util.function.LongSupplier;

/**
 * When a queue is queried for work.
 *
 * @param nanoTime the monotonic clock, by which searches rest and forget
 */
public record SearchTiming(LongSupplier nanoTime, SearchRests rests) {}
