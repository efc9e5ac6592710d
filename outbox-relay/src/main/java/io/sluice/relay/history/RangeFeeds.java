package io.sluice.relay.history;

import io.sluice.relay.control.MemoryBudget;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.PollInterval;
import io.sluice.relay.feed.ReadPace;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/**
 * Opens the change feeds of a container's key ranges.
 *
 * @param changes gets the documents of every page that is read
 * @param memory limits the pages of all ranges together
 * @param clock the store's time
 * @param pace page size and pauses between reads
 */
public record RangeFeeds(
        ContainerRanges ranges, ChangeListener changes, MemoryBudget memory, InstantSource clock, ReadPace pace) {
    private static final Duration WAIT_AFTER_FAILURE = Duration.ofSeconds(1);

    /** The feed of one range. */
    RangeFeed feed(int range) {
        return new RangeFeed(
                ranges.id(range),
                ranges.reader(range),
                new PageMemory(memory),
                changes,
                new RangeLag(clock, pace.longest()));
    }

    /**
     * A poller for ranges whose publishers are behind.
     *
     * @param behind the ranges whose publishers have read no new change for so long
     */
    FallbackPoller fallbackPoller(Function<Duration, List<Integer>> behind) {
        return new FallbackPoller(
                behind,
                range -> RecentChanges.of(ranges.reader(range), clock, pace.longest()),
                changes,
                new PageMemory(memory),
                new PollInterval(pace.shortest(), pace.longest()));
    }

    RangePublisher.Tuning tuning() {
        return new RangePublisher.Tuning(pace.shortest(), pace.longest(), WAIT_AFTER_FAILURE, pace.pageSize());
    }
}
