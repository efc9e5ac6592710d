package io.sluice.relay.history;

import io.sluice.relay.control.RelayMemory;
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
        ContainerRanges ranges, ChangeListener changes, RelayMemory memory, InstantSource clock, ReadPace pace) {
    private static final Duration WAIT_AFTER_FAILURE = Duration.ofSeconds(1);

    /** The feed of one range. */
    RangeFeed feed(RangeId range) {
        return new RangeFeed(
                range,
                ranges.reader(range),
                PageMemory.published(memory).range(pace.pageSize()),
                changes,
                new RangeLag(clock, pace.longest()));
    }

    /** Reads the newest changes of a range while its publisher is behind. */
    FallbackPoller fallbackPoller(RangeFeed feed, Predicate<Duration> isBehind) {
        var range = feed.range();
        return new FallbackPoller(
                isBehind,
                () -> RecentChanges.of(ranges.reader(range), clock, pace.longest()),
                page -> changes.onChange(range.bounds(), page.documents()),
                feed.pages().beside(PageMemory.recent(memory)),
                new PollInterval(pace.shortest(), pace.longest()));
    }

    RangePublisher.Tuning tuning() {
        return new RangePublisher.Tuning(pace.shortest(), pace.longest(), WAIT_AFTER_FAILURE, pace.pageSize());
    }
}
