package io.sluice.relay.feed;

import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Reads one key range of a change feed, page by page. */
@FunctionalInterface
public interface PageReader {
    /**
     * Reads the page after a continuation; one round trip, or more if the range spans several physical partitions.
     *
     * @param continuation of the previous page; null for the beginning of the feed
     * @throws RuntimeException if the store can't be reached or refuses; the read can be repeated without loss
     */
    FeedPage read(@Nullable String continuation);

    /**
     * The same, of a feed that may have gone back behind the continuation, yet not behind another one.
     *
     * @param floor where the feed ended once; null if it was empty then
     */
    default FeedPage read(@Nullable String continuation, @Nullable String floor) {
        return read(continuation);
    }

    /** The same feed, each page of which is asked for within a limit; a feed that knows none stays as it is. */
    default PageReader within(ReadLimit limit) {
        return this;
    }

    /**
     * Reads the first page of the changes since a point in time (the store's, whole seconds).
     *
     * @throws UnsupportedOperationException if this feed has no times
     */
    default FeedPage readSince(Instant since) {
        throw new UnsupportedOperationException("this feed can't be read since " + since);
    }

    /**
     * Compares a continuation with the present end of the feed. A replica of the store that lags behind ends earlier
     * for a moment: compare more than once. One round trip per physical partition.
     *
     * @return where the continuation is ahead, in words; empty if it is not, or this feed can't go back
     */
    default Optional<String> aheadOfEnd(String continuation) {
        return Optional.empty();
    }

    /** The present end of the feed; empty if this feed knows none. One round trip per physical partition. */
    default Optional<FeedEnd> end() {
        return Optional.empty();
    }

    /** The same as a continuation, from which what is written later is read. */
    default Optional<String> endContinuation() {
        return Optional.empty();
    }

    /**
     * Continuations of the parts into which the service has split the range since it was cut, which are read from then
     * on each by itself.
     *
     * @param continuation of a page
     * @return by the parts' ranges; empty while the range is whole, or if this feed is never split
     */
    default SortedMap<KeyRange, String> parts(String continuation) {
        return Collections.emptySortedMap();
    }
}
