package io.sluice.relay.feed;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads one key range of a change feed, page by page. */
@FunctionalInterface
public interface PageReader {
    /**
     * Reads what follows a continuation; one round trip, more when the range lies in several physical partitions.
     *
     * @param continuation of the page before, null for the beginning of the feed
     * @throws RuntimeException when the store can't be reached or refuses; nothing is lost by asking again
     */
    FeedPage read(@Nullable String continuation);

    /**
     * Reads the first page of what was changed since a point in time (the store's, whole seconds).
     *
     * @throws UnsupportedOperationException when this feed keeps no times
     */
    default FeedPage readSince(Instant since) {
        throw new UnsupportedOperationException("this feed can't be read since " + since);
    }
}
