package io.sluice.relay.history;

import io.sluice.relay.control.MemoryBudget;
import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.FallbackPoller;
import io.sluice.relay.feed.PageMemory;
import io.sluice.relay.feed.PollInterval;
import io.sluice.relay.feed.RangeLag;
import io.sluice.relay.feed.ReadPace;
import io.sluice.relay.feed.RecentChanges;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Predicate;

/**
 * Opens the change feeds of a container's key ranges.
 *
 * @param changes follows what is read
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

    /** Reads the newest changes of a range while its publisher is behind. */
    FallbackPoller fallbackPoller(int range, Predicate<Duration> isBehind) {
        var id = ranges.id(range);
        return new FallbackPoller(
                isBehind,
                () -> RecentChanges.of(ranges.reader(range), clock, pace.longest()),
                page -> changes.onChange(id.bounds(), page.documents()),
                new PageMemory(memory),
                new PollInterval(pace.shortest(), pace.longest()));
    }

    RangePublisher.Tuning tuning() {
        return new RangePublisher.Tuning(pace.shortest(), pace.longest(), WAIT_AFTER_FAILURE, pace.pageSize());
    }
}
