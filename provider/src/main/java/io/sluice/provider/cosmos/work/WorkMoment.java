package io.sluice.provider.cosmos.work;

/**
 * One moment by two clocks: locks and visibility go by the first, which may be set; waits, and the pace of searches, by
 * the second, which can't.
 *
 * @param millis by the clock of the store
 * @param steadyMillis by a monotonic clock
 */
public record WorkMoment(long millis, long steadyMillis) {}
