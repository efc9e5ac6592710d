package io.sluice.relay.feed;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Reads the newest changes of a key range page by page, beginning a little before now. Not thread-safe. */
public final class RecentChanges {
    /**
     * In longest intervals, how far before now the first read of a range begins. It covers the age that the last page
     * may have had that counted as new, the time after which a range counts as behind, and the interval before this is
     * noticed.
     */
    private static final int LOOK_BACK_INTERVALS = 5;

    private static final Duration ALLOWANCE = Duration.ofSeconds(8);

    private final PageReader reader;
    private final Instant since;
    private @Nullable String continuation;

    private RecentChanges(PageReader reader, Instant since) {
        this.reader = reader;
        this.since = since;
    }

    /**
     * The changes from a little before now on.
     *
     * @param clock the store's time
     * @param longestInterval between two reads of the range by its publisher
     */
    public static RecentChanges of(PageReader reader, InstantSource clock, Duration longestInterval) {
        var lookBack = longestInterval.multipliedBy(LOOK_BACK_INTERVALS).plus(ALLOWANCE);
        return new RecentChanges(reader, clock.instant().minus(lookBack));
    }

    /** Reads the next page; the same one again until {@link #advance}. */
    public FeedPage read(ReadLimit limit) {
        var limited = reader.within(limit);
        return continuation == null ? limited.readSince(since) : limited.read(continuation);
    }

    /** Continues after this page. */
    public void advance(FeedPage page) {
        continuation = page.continuation();
    }
}
