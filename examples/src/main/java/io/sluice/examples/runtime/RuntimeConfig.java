package io.sluice.examples.runtime;

import java.time.Duration;

/**
 * How a runtime works its queues.
 *
 * @param orchestrationDispatchers threads that work turns, from 1
 * @param activityWorkers threads that run activities, from 1
 * @param turnLock how long the lock of a turn lives between renewals
 * @param activityLock how long the lock of an activity lives between renewals
 * @param pollTimeout longest wait of one fetch; also the longest a stop waits for an idle thread
 * @param maxAttempts a message fetched more often than this is poison
 */
public record RuntimeConfig(
        int orchestrationDispatchers,
        int activityWorkers,
        Duration turnLock,
        Duration activityLock,
        Duration pollTimeout,
        int maxAttempts) {
    /** Two and two threads with the contract's timing. */
    public static final RuntimeConfig DEFAULT =
            new RuntimeConfig(2, 2, Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(2), 10);

    public RuntimeConfig {
        if (orchestrationDispatchers < 1 || activityWorkers < 1 || maxAttempts < 1) {
            throw new IllegalArgumentException("dispatchers, workers and attempts must be at least 1, were "
                    + orchestrationDispatchers + ", " + activityWorkers + ", " + maxAttempts);
        }
    }

    /** The same with this many threads for turns and activities. */
    public RuntimeConfig withThreads(int dispatchers, int workers) {
        return new RuntimeConfig(dispatchers, workers, turnLock, activityLock, pollTimeout, maxAttempts);
    }

    /** The same with this poll timeout. */
    public RuntimeConfig withPollTimeout(Duration timeout) {
        return new RuntimeConfig(
                orchestrationDispatchers, activityWorkers, turnLock, activityLock, timeout, maxAttempts);
    }

    Duration turnRenewalPeriod() {
        return renewalPeriod(turnLock, Duration.ofSeconds(2));
    }

    Duration activityRenewalPeriod() {
        return renewalPeriod(activityLock, Duration.ofSeconds(5));
    }

    /** Half of a short lock, else the lock less its margin; at least a second. */
    private static Duration renewalPeriod(Duration lock, Duration margin) {
        Duration period = lock.toSeconds() < 15 ? lock.dividedBy(2) : lock.minus(margin);
        return period.toSeconds() < 1 ? Duration.ofSeconds(1) : period;
    }
}
