package io.sluice.provider.contract.replay;

import io.sluice.provider.TagFilter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a runtime works.
 *
 * @param dispatchers threads that work turns; 0 works none
 * @param workers threads that run activities
 * @param node owner of sessions for all workers; null gives each worker an owner of its own
 * @param maxSessions sessions whose activities may run at one time
 * @param sessionIdle how long a session is renewed without use
 * @param workerLock lock of an activity, renewed a {@code buffer} before it ends
 * @param maxAttempts a turn fetched more often is poison
 * @param unregisteredPause how long a turn whose code is unknown is put back
 */
public record RuntimeOptions(
        int dispatchers,
        int workers,
        TagFilter tags,
        @Nullable String node,
        int maxSessions,
        Duration sessionLock,
        Duration sessionIdle,
        Duration workerLock,
        Duration buffer,
        int maxAttempts,
        Duration unregisteredPause) {
    /** Two dispatchers and two workers, as a runtime has them by default. */
    public static final RuntimeOptions DEFAULT = new RuntimeOptions(
            2,
            2,
            TagFilter.defaultOnly(),
            null,
            10,
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            10,
            Duration.ofSeconds(1));

    public RuntimeOptions {
        if (sessionIdle.compareTo(workerLock.minus(buffer)) <= 0) {
            throw new IllegalArgumentException("sessionIdle must exceed the renewal interval of workers, "
                    + workerLock.minus(buffer) + ", was " + sessionIdle);
        }
    }

    /** With so many threads. */
    public RuntimeOptions threads(int newDispatchers, int newWorkers) {
        return new RuntimeOptions(
                newDispatchers,
                newWorkers,
                tags,
                node,
                maxSessions,
                sessionLock,
                sessionIdle,
                workerLock,
                buffer,
                maxAttempts,
                unregisteredPause);
    }

    /** Serving these tags. */
    public RuntimeOptions serving(TagFilter newTags) {
        return new RuntimeOptions(
                dispatchers,
                workers,
                newTags,
                node,
                maxSessions,
                sessionLock,
                sessionIdle,
                workerLock,
                buffer,
                maxAttempts,
                unregisteredPause);
    }

    /** One owner of sessions, with at most so many at a time. */
    public RuntimeOptions sessions(@Nullable String newNode, int most) {
        return new RuntimeOptions(
                dispatchers,
                workers,
                tags,
                newNode,
                most,
                sessionLock,
                sessionIdle,
                workerLock,
                buffer,
                maxAttempts,
                unregisteredPause);
    }

    /** With these times of sessions and workers. */
    public RuntimeOptions times(Duration newSessionLock, Duration newIdle, Duration newWorkerLock, Duration newBuffer) {
        return new RuntimeOptions(
                dispatchers,
                workers,
                tags,
                node,
                maxSessions,
                newSessionLock,
                newIdle,
                newWorkerLock,
                newBuffer,
                maxAttempts,
                unregisteredPause);
    }

    /** Meeting unknown code and poison so. */
    public RuntimeOptions trouble(int newMaxAttempts, Duration newPause) {
        return new RuntimeOptions(
                dispatchers,
                workers,
                tags,
                node,
                maxSessions,
                sessionLock,
                sessionIdle,
                workerLock,
                buffer,
                newMaxAttempts,
                newPause);
    }
}
