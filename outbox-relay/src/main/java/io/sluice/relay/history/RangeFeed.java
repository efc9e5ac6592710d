package io.sluice.relay.history;

import io.sluice.relay.feed.ChangeListener;
import io.sluice.relay.feed.PageReader;
import io.sluice.relay.feed.RangeLag;
import io.sluice.relay.feed.RangePages;
import io.sluice.relay.loop.StopRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The change feed of one key range. It reads page by page, within the memory that all ranges share, and shows each page
 * to the change listener before the page is published. Pages are read by one thread; {@link #isBehind} may be called by
 * any.
 */
final class RangeFeed {
    private final RangeId range;
    private final PageReader reader;
    private final RangePages pages;
    private final ChangeListener changes;
    private final RangeLag lag;
    private boolean hasEnded;

    /** @param changes gets the documents of every page */
    RangeFeed(RangeId range, PageReader reader, RangePages pages, ChangeListener changes, RangeLag lag) {
        this.range = range;
        this.reader = reader;
        this.pages = pages;
        this.changes = changes;
        this.lag = lag;
    }

    RangeId range() {
        return range;
    }

    RangePages pages() {
        return pages;
    }

    /**
     * The positions of the parts into which the service has split the range.
     *
     * @param position behind a page
     * @param continuation of that page
     * @return empty while the range is whole
     */
    List<Position> parts(Position position, String continuation) {
        var parts = reader.parts(continuation);
        boolean isWhole = range.bounds().isMadeOf(parts.keySet());
        return isWhole
                ? parts.entrySet().stream()
                        .map(part -> position.part(part.getKey(), part.getValue()))
                        .toList()
                : List.of();
    }

    /** This replica reads the range from now on, whatever of earlier readers is lost. */
    synchronized void begin() {
        if (!hasEnded) {
            changes.taken(range.bounds());
        }
    }

    /** Another replica reads the range from now on. */
    synchronized void end() {
        hasEnded = true;
        changes.givenAway(range.bounds());
    }

    /** Whether no new change was read for longer than this: the feed can't be read, or its end is still far. */
    boolean isBehind(Duration patience) {
        return lag.isBehind(patience);
    }

    /**
     * Compares a position with the feed's end, as {@link FeedEndCheck} describes.
     *
     * @return why the position can't be trusted; null if it can
     */
    @Nullable
    String fault(Position position, Duration pause, StopRequest stop, Runnable heartbeat) throws InterruptedException {
        return new FeedEndCheck(reader, pause, stop).fault(range, position, heartbeat);
    }

    /**
     * Reads the page that follows a position and runs the work on it, while its memory is reserved.
     *
     * @param stillWaiting runs every second while there is no memory for a page, and before a repeated read
     * @throws PositionRefusedException when the container is another one than the position was made for
     */
    <T> T readNext(Position position, Runnable stillWaiting, RangePages.Work<T, PositionRefusedException> work)
            throws InterruptedException, PositionRefusedException {
        return pages.next(limit -> position.read(reader.within(limit)), stillWaiting, (page, isCut) -> {
            range.requireSameContainer(page.documents());
            if (page.endsEarlier()) {
                throw new IllegalStateException("the change feed has gone back to before the position of the range");
            }
            changes.onChange(range.bounds(), page.documents());
            lag.read(page);
            return work.on(page, isCut);
        });
    }
}
