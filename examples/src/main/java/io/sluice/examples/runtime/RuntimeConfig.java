package io.sluice.examples.runtime;

import io.sluice.provider.TagFilter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a runtime works its queues.
 *
 * @param dispatchers threads that work turns; 0 works none
 * @param workers threads that run activities
 * @param tags which activities the workers take
 * @param sessions how the workers share sessions; null takes no activity of a session
 * @param maxAttempts a message fetched more often than this is poison, from 1
 */
public record RuntimeConfig(
        int dispatchers,
        int workers,
        TagFilter tags,
        @Nullable Sessions sessions,
        Timing timing,
        int maxAttempts) {
    /** Two and two threads with the contract's timing, without sessions. */
    public static final RuntimeConfig DEFAULT =
            new RuntimeConfig(2, 2, TagFilter.defaultOnly(), null, Timing.DEFAULT, 10);

    /**
     * How workers own sessions.
     *
     * @param node owner of the sessions of all workers; null gives each worker an owner of its own
     * @param max sessions whose activities may run at one time
     * @param lock how long a session is owned between renewals
     * @param idle how long an unused session is renewed
     */
    public record Sessions(@Nullable String node, int max, Duration lock, Duration idle) {
        /** An owner per worker, ten sessions at a time. */
        public static final Sessions DEFAULT = new Sessions(null, 10, Duration.ofSeconds(30), Duration.ofMinutes(5));
    }

    /**
     * How long locks and waits are.
     *
     * @param turnLock how long the lock of a turn lives between renewals
     * @param activityLock how long the lock of an activity lives between renewals
     * @param pollTimeout longest wait of one fetch; also the longest a stop waits for an idle thread
     * @param unregisteredPause how long a turn of unknown code is put back at first; doubled at each attempt
     */
    public record Timing(Duration turnLock, Duration activityLock, Duration pollTimeout, Duration unregisteredPause) {
        /** The contract's timing. */
        public static final Timing DEFAULT =
                new Timing(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofSeconds(1));

        /** The same with this poll timeout. */
        public Timing withPollTimeout(Duration timeout) {
            return new Timing(turnLock, activityLock, timeout, unregisteredPause);
        }

        /** The same with this lock of activities. */
        public Timing withActivityLock(Duration lock) {
            return new Timing(turnLock, lock, pollTimeout, unregisteredPause);
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

    public RuntimeConfig {
        if (dispatchers < 0 || workers < 0 || dispatchers + workers < 1 || maxAttempts < 1) {
            throw new IllegalArgumentException("dispatchers or workers, and attempts, must be at least 1, were "
                    + dispatchers + ", " + workers + ", " + maxAttempts);
        }
        // A session whose activity runs is in use only when the activity's lock is renewed.
        if (sessions != null && sessions.idle().compareTo(timing.activityRenewalPeriod()) <= 0) {
            throw new IllegalArgumentException("sessions.idle must exceed the renewal period of activities, "
                    + timing.activityRenewalPeriod() + ", was " + sessions.idle());
        }
    }

    /** The same with this many threads for turns and activities. */
    public RuntimeConfig withThreads(int newDispatchers, int newWorkers) {
        return new RuntimeConfig(newDispatchers, newWorkers, tags, sessions, timing, maxAttempts);
    }

    /** The same for activities of these tags. */
    public RuntimeConfig withTags(TagFilter newTags) {
        return new RuntimeConfig(dispatchers, workers, newTags, sessions, timing, maxAttempts);
    }

    /** The same with these sessions. */
    public RuntimeConfig withSessions(Sessions newSessions) {
        return new RuntimeConfig(dispatchers, workers, tags, newSessions, timing, maxAttempts);
    }

    /** The same with this timing. */
    public RuntimeConfig withTiming(Timing newTiming) {
        return new RuntimeConfig(dispatchers, workers, tags, sessions, newTiming, maxAttempts);
    }
}
