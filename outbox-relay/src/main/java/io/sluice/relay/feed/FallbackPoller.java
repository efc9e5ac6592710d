package io.sluice.relay.feed;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest changes of a range while its publisher is behind, because Kafka is away, events are paused, its
 * position is refused, or it works through a backlog. It publishes nothing and only notifies the change listener: so
 * intents need the store alone, and are delivered at their usual pace. Not thread-safe.
 */
public final class FallbackPoller {
    private final Predicate<Duration> isBehind;
    private final Supplier<RecentChanges> openChanges;
    private final Consumer<FeedPage> listener;
    private final RangePages pages;
    private final PollInterval interval;
    private @Nullable RecentChanges changes;

    /**
     * Reads nothing yet.
     *
     * @param isBehind whether the publisher has read no new change for so long
     * @param openChanges opens the newest changes of the range
     * @param listener gets every page that is read
     * @param pages limits their memory
     * @param interval between reads; a publisher counts as behind after twice the longest
     */
    public FallbackPoller(
            Predicate<Duration> isBehind,
            Supplier<RecentChanges> openChanges,
            Consumer<FeedPage> listener,
            RangePages pages,
            PollInterval interval) {
        this.isBehind = isBehind;
        this.openChanges = openChanges;
        this.listener = listener;
        this.pages = pages;
        this.interval = interval;
    }

    /**
     * Reads a page if the publisher is behind.
     *
     * @return how long to wait before the next
     * @throws RuntimeException when the store does not answer; the next step reads the same page
     */
    public Duration step() throws InterruptedException {
        if (!isBehind.test(interval.longest().multipliedBy(2))) {
            changes = null;
            return interval.longest();
        }
        var known = changes;
        var next = known == null ? openChanges.get() : known;
        changes = next;
        return pages.next(next::read, () -> {}, (page, isCut) -> {
            listener.accept(page);
            next.advance(page);
            var pause = page.isEmpty() ? interval.afterNothing() : interval.afterActivity();
            return isCut ? Duration.ZERO : pause;
        });
    }
}
