package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.WorkQueue;
import java.time.Duration;

/**
 * What bounds an index.
 *
 * @param queue whose work it is
 * @param mostEntries of more, what can be found again by a search or another process is not kept
 * @param searchLimit how many candidates one search is asked for, and a fetch whose time is over tries
 * @param helpAfterMillis how long announced work waits for a dispatcher before others are asked for help
 * @param helpAgainMillis after which they are asked again
 * @param helpPerSecond how often help is asked for at most
 * @param firstRestMillis between two searches while work is not announced
 * @param longestRestMillis the same, when nothing is found
 * @param precautionMillis between two searches while it is
 * @param waits what a feed asks for, where there is one
 */
public record WorkLimits(
        WorkQueue queue,
        int mostEntries,
        int searchLimit,
        long helpAfterMillis,
        long helpAgainMillis,
        int helpPerSecond,
        long firstRestMillis,
        long longestRestMillis,
        long precautionMillis,
        FeedWaits waits) {
    /**
     * What a feed of announcements asks for.
     *
     * @param ownWorkAfterMillis how long what this process wrote waits for its announcement, a start apart
     * @param completionsWithinMillis how long a turn waits for the next completion of several
     * @param isHelpTaken whether other processes can be asked for help
     */
    public record FeedWaits(long ownWorkAfterMillis, long completionsWithinMillis, boolean isHelpTaken) {
        /** Nothing waits. */
        public static final FeedWaits AT_ONCE = new FeedWaits(0, 0, false);
    }

    /** The usual ones. */
    public static WorkLimits of(WorkQueue queue) {
        return of(queue, Duration.ofMillis(32), Duration.ofSeconds(1));
    }

    /** The usual ones but for the intervals between two searches. */
    public static WorkLimits of(WorkQueue queue, Duration firstRest, Duration longestRest) {
        return new WorkLimits(
                queue,
                100_000,
                16,
                Duration.ofSeconds(2).toMillis(),
                Duration.ofSeconds(30).toMillis(),
                64,
                firstRest.toMillis(),
                longestRest.toMillis(),
                Duration.ofMinutes(5).toMillis(),
                FeedWaits.AT_ONCE);
    }

    /** With what a feed asks for. */
    public WorkLimits with(FeedWaits asked) {
        return new WorkLimits(
                queue,
                mostEntries,
                searchLimit,
                helpAfterMillis,
                helpAgainMillis,
                helpPerSecond,
                firstRestMillis,
                longestRestMillis,
                precautionMillis,
                asked);
    }
}
