package io.sluice.emulator.changefeed;

import io.sluice.emulator.store.item.FeedEntry;
import java.util.List;

/**
 * A page of the change feed.
 *
 * @param items in the order they were written
 * @param readLsn the log sequence number up to which the reader has now read
 */
public record FeedPage<T extends FeedEntry>(List<T> items, long readLsn) {
    /** Copies the items. */
    public FeedPage {
        items = List.copyOf(items);
    }

    /** The continuation, sent as the ETag header. */
    public String etag() {
        return "\"" + readLsn + "\"";
    }
}
