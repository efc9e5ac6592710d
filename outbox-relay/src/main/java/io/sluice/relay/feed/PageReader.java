package io.sluice.relay.feed;

import java.time.Instant;
import java.util.Optional;
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

    /**
     * Asks where the feed ends at this moment, and says where a continuation is ahead of that, in words. A copy of the
     * store that lags behind ends earlier for a moment: ask more than once. One round trip per physical partition.
     *
     * @return empty when it is not ahead, or this feed can't go back
     */
    default Optional<String> aheadOfEnd(String continuation) {
        return Optional.empty();
    }
}
