package io.sluice.relay.history;

import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.feed.PollInterval;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest changes of the ranges whose publishers are behind, because Kafka is away, events are paused, or a
 * publisher works through a backlog. It publishes nothing and only notifies the change listener: so intents are
 * delivered at their usual pace. The change feed processor alone would read once a second, and has the same backlog.
 * Not thread-safe.
 */
final class FallbackPoller {
    /**
     * In longest rests, how far before now the first read of a range begins. It covers the age that the last page may
     * have had that counted as new, the time after which a range counts as behind, and the rest before this is noticed.
     */
    private static final int LOOK_BACK_RESTS = 5;

    private static final Duration ALLOWANCE = Duration.ofSeconds(8);

    private final Function<Duration, List<Integer>> behind;
    private final IntFunction<PageReader> readers;
    private final ChangeListener changes;
    private final PageMemory memory;
    private final InstantSource clock;
    private final Duration longestRest;
    private final Duration lookBack;
    private final PollInterval pace;
    private final Map<Integer, Progress> progress = new HashMap<>();

    private record Progress(PageReader reader, String continuation) {}

    /**
     * Reads nothing yet.
     *
     * @param behind the ranges of this replica whose publishers have read no new change for so long
     * @param readers makes a reader of a range's feed
     * @param changes gets every document that is read
     * @param memory limits its pages together with the pages of publishers
     * @param clock the store's time
     * @param shortestRest between reads after activity
     * @param longestRest between reads while nothing changes; a range counts as behind after twice as long
     */
    FallbackPoller(
            Function<Duration, List<Integer>> behind,
            IntFunction<PageReader> readers,
            ChangeListener changes,
            PageMemory memory,
            InstantSource clock,
            Duration shortestRest,
            Duration longestRest) {
        this.behind = behind;
        this.readers = readers;
        this.changes = changes;
        this.memory = memory;
        this.clock = clock;
        this.longestRest = longestRest;
        this.lookBack = longestRest.multipliedBy(LOOK_BACK_RESTS).plus(ALLOWANCE);
        this.pace = new PollInterval(shortestRest, longestRest);
    }

    /**
     * Reads a page of each range that is behind.
     *
     * @return how long to rest before the next round
     * @throws RuntimeException when the store does not answer; the next round reads the ranges that this one left out
     */
    Duration step() throws InterruptedException {
        var ranges = behind.apply(longestRest.multipliedBy(2));
        progress.keySet().retainAll(ranges);
        boolean activity = false;
        for (int range : ranges) {
            activity |= poll(range);
        }
        if (ranges.isEmpty()) {
            return longestRest;
        }
        return activity ? pace.afterActivity() : pace.afterNothing();
    }

    /** Reads a page of a range; returns whether it had changes. */
    private boolean poll(int range) throws InterruptedException {
        var before = progress.get(range);
        var reader = before == null ? readers.apply(range) : before.reader();
        return memory.holding(() -> read(reader, before), () -> {}, page -> {
            changes.onChange(page.documents());
            progress.put(range, new Progress(reader, page.continuation()));
            return !page.isEmpty();
        });
    }

    private FeedPage read(PageReader reader, @Nullable Progress before) {
        return before == null ? reader.readSince(clock.instant().minus(lookBack)) : reader.read(before.continuation());
    }
}
