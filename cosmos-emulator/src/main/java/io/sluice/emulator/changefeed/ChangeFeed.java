package io.sluice.emulator.changefeed;

import io.sluice.emulator.store.PartitionView;
import io.sluice.emulator.store.StoredItem;
import java.util.ArrayList;
import java.util.function.Predicate;

/**
 * Reads the change feed of one physical partition: of every item its latest version, in the order of writing. What one
 * transaction wrote is never split over pages, so a page may be larger than was asked for.
 */
public final class ChangeFeed {
    private static final long MAX_PAGE_BYTES = 4L * 1024 * 1024;

    private ChangeFeed() {}

    /**
     * The next page. An empty one means that there is nothing new; its continuation still moves on, past what others wrote.
     *
     * @param wanted which items the reader asked for: a sub-range, or one partition key
     * @param maxItems after which the page ends, at the next transaction
     */
    public static FeedPage read(PartitionView view, FeedStart start, Predicate<StoredItem> wanted, int maxItems) {
        if (start.afterLsn() == FeedStart.NOW) {
            return new FeedPage(new ArrayList<>(), view.lsn());
        }
        var page = new ArrayList<StoredItem>();
        long bytes = 0;
        long readLsn = start.afterLsn();
        var changes = view.changesAfter(start.afterLsn());
        while (changes.hasNext()) {
            var item = changes.next();
            boolean full = page.size() >= maxItems || bytes >= MAX_PAGE_BYTES;
            if (full && item.lsn() != readLsn) {
                return new FeedPage(page, readLsn);
            }
            readLsn = item.lsn();
            if (item.timestampSeconds() >= start.sinceSeconds() && wanted.test(item)) {
                page.add(item);
                bytes += item.sizeBytes();
            }
        }
        return new FeedPage(page, Math.max(view.lsn(), start.afterLsn()));
    }
}
