package io.sluice.examples.measure;

/** Percentiles of a latency in milliseconds; all zero when nothing was measured. */
public record LatencySummary(long count, long p50Millis, long p99Millis, long maxMillis) {}
