package io.sluice.relay.history;

import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.PollInterval;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Reads the newest changes of the ranges whose publishers are behind, because Kafka is away, events are paused, or a
 * publisher works through a backlog. It publishes nothing and only notifies the change listener: so intents are
 * delivered at their usual pace. The change feed processor alone would read once a second, and has the same backlog.
 * Not thread-safe.
 */
final class FallbackPoller {
    private final Function<Duration, List<Integer>> behind;
    private final IntFunction<RecentChanges> openChanges;
    private final ChangeListener listener;
    private final PageMemory memory;
    private final PollInterval interval;
    private final Map<Integer, RecentChanges> changes = new HashMap<>();

    /**
     * Reads nothing yet.
     *
     * @param behind the ranges of this replica whose publishers have read no new change for so long
     * @param openChanges opens the newest changes of a range
     * @param listener gets every document that is read
     * @param memory limits its pages together with the pages of publishers
     * @param interval between reads; a range counts as behind after twice the longest
     */
    FallbackPoller(
            Function<Duration, List<Integer>> behind,
            IntFunction<RecentChanges> openChanges,
            ChangeListener listener,
            PageMemory memory,
            PollInterval interval) {
        this.behind = behind;
        this.openChanges = openChanges;
        this.listener = listener;
        this.memory = memory;
        this.interval = interval;
    }

    /**
     * Reads a page of each range that is behind.
     *
     * @return how long to wait before the next round
     * @throws RuntimeException when the store does not answer; the next round reads the ranges that this one left out
     */
    Duration step() throws InterruptedException {
        var ranges = behind.apply(interval.longest().multipliedBy(2));
        changes.keySet().retainAll(ranges);
        boolean activity = false;
        for (int range : ranges) {
            activity |= poll(range);
        }
        if (ranges.isEmpty()) {
            return interval.longest();
        }
        return activity ? interval.afterActivity() : interval.afterNothing();
    }

    /** Reads a page of a range; returns whether it had changes. */
    private boolean poll(int range) throws InterruptedException {
        var known = changes.get(range);
        var next = known == null ? openChanges.apply(range) : known;
        return memory.holding(next::read, () -> {}, page -> {
            listener.onChange(page.documents());
            next.advance(page);
            changes.put(range, next);
            return !page.isEmpty();
        });
    }
}
