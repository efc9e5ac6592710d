package io.sluice.emulator.changefeed;

import io.sluice.emulator.store.item.FeedEntry;
import java.util.List;

/**
 * A page of the change feed.
 *
 * @param items in the order they were written
 * @param readLsn the log sequence number up to which the reader has now read
 * @param passed how many changes were read for it, and are none of its items
 * @param passedBytes their size
 * @param isEnd whether nothing was written behind it so far
 */
public record FeedPage<T extends FeedEntry>(List<T> items, long readLsn, long passed, long passedBytes, boolean isEnd) {
    /** Copies the items. */
    public FeedPage {
        items = List.copyOf(items);
    }

    /** A page without items, for which nothing was read, and behind which nothing was written. */
    static <T extends FeedEntry> FeedPage<T> emptyAt(long lsn) {
        return new FeedPage<>(List.of(), lsn, 0, 0, true);
    }

    /** The continuation, sent as the ETag header. */
    public String etag() {
        return "\"" + readLsn + "\"";
    }
}
