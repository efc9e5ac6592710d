package io.sluice.relay.feed;

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
}
