package io.sluice.relay.feed;

import io.sluice.relay.control.MemoryBudget;
import io.sluice.relay.control.ReadPlaces;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and processes the pages of one range within the {@link PageMemory} of all ranges. The size of a page is known
 * only after it was read:
 *
 * <ul>
 *   <li>After a page that was not full, a few documents are asked for, and no memory is reserved. How many such reads
 *       are under way at once is limited ({@link ReadPlaces}); an answer has 4 MB and a batch at most, and by the mean
 *       of earlier documents it is {@link #SMALL_BYTES small}. What turns out larger is processed if memory can be
 *       reserved at once; else it is dropped, and read again when there is room for it.
 *   <li>After a full page memory is reserved first, then as many documents are read as fit by their mean size.
 *   <li>A read that is not answered within a second is given up with what it holds, and repeated without a reservation.
 *       After two of them, or one that failed, the range is slow to read: it asks with more patience, in the few places
 *       that all such ranges share, until an answer comes within a second. So nothing is reserved while the store
 *       throttles or is silent, but for the first second, and in the slow ranges' own budget where a page is known to
 *       be large. A second reader of a range uses these few places too while the first one holds another: a range never
 *       holds two of the others.
 *   <li>A range whose page took long to process, or failed, as while a partition of Kafka hangs, reserves in the budget
 *       of slow ranges until a page was processed quickly.
 * </ul>
 *
 * <p>A thread never waits for memory while it holds some, or for a place while it holds memory, so there is no
 * deadlock. Not thread-safe.
 */
public final class RangePages {
    private static final Logger LOG = LoggerFactory.getLogger(RangePages.class);

    /** A page up to this size needs no reservation: each range has one at most. */
    static final long SMALL_BYTES = 64L * 1024;
    /** Larger pages gain nothing. */
    static final long LARGE_BYTES = 2L * 1024 * 1024;
    /** Documents asked for while nothing is known to wait. */
    static final int FEW = 10;
    /** A healthy store answers sooner. */
    static final Duration QUICK = Duration.ofSeconds(1);
    /** For the answer to a range that is slow to read; a throttled request is repeated by the SDK meanwhile. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final long LONG_WORK_NANOS = Duration.ofSeconds(2).toNanos();

    private final PageMemory memory;
    private final int pageSize;
    private final LongSupplier nanos;
    private final DocumentSizes sizes = new DocumentSizes();
    private final RangeAnswers answers;
    private boolean isSlowToProcess;
    /** Whether more waits behind the last page. */
    private boolean isFull;
    /** The most documents of the next page, after one that was dropped. */
    private int most;
    /** Reserved for the next page at least, after one that was dropped. */
    private long leastReserved;

    RangePages(PageMemory memory, int pageSize, RangeAnswers answers, LongSupplier nanos) {
        this.memory = memory;
        this.pageSize = pageSize;
        this.answers = answers;
        this.nanos = nanos;
        this.most = pageSize;
    }

    /** The pages of another reader of the same range, which knows how the range has answered this one. */
    public RangePages beside(PageMemory other) {
        return new RangePages(other, pageSize, answers, nanos);
    }

    /** Processes a page. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        /**
         * Processes a page.
         *
         * @param isCut whether it has fewer documents than a whole page because fewer were asked for: the next should
         *     be read at once
         */
        T on(FeedPage page, boolean isCut) throws InterruptedException, E;
    }

    /**
     * What is asked for.
     *
     * @param budget in which memory is reserved for it
     */
    private record Asked(Function<ReadLimit, FeedPage> read, int documents, MemoryBudget budget) {}

    private record Held(FeedPage page, boolean isCut, MemoryBudget.Reservation room) {}

    /**
     * Reads a page and processes it.
     *
     * @param read reads the same page when it is repeated
     * @param stillWaiting runs every second while there is no memory, and before each repeated read
     * @throws RuntimeException when it can't be read
     */
    public <T, E extends Exception> T next(Function<ReadLimit, FeedPage> read, Runnable stillWaiting, Work<T, E> work)
            throws InterruptedException, E {
        var held = attempt(read, stillWaiting);
        while (held == null) {
            stillWaiting.run();
            held = attempt(read, stillWaiting);
        }
        try {
            return process(held, work);
        } finally {
            held.room().close();
        }
    }

    private <T, E extends Exception> T process(Held held, Work<T, E> work) throws InterruptedException, E {
        long begunNanos = nanos.getAsLong();
        boolean isDone = false;
        try {
            var result = work.on(held.page(), held.isCut());
            isDone = true;
            return result;
        } finally {
            if (!held.page().isEmpty() || !isDone) {
                isSlowToProcess = !isDone || nanos.getAsLong() - begunNanos > LONG_WORK_NANOS;
            }
        }
    }

    /** Null when the page must be read again. */
    private @Nullable Held attempt(Function<ReadLimit, FeedPage> read, Runnable stillWaiting)
            throws InterruptedException {
        boolean isReserved = leastReserved > 0 || (isFull && answers.isQuick());
        return isReserved ? readReserved(read, stillWaiting) : readFew(read, stillWaiting);
    }

    private MemoryBudget budget() {
        return memory.budget(answers.isSlow() || isSlowToProcess);
    }

    private @Nullable Held readReserved(Function<ReadLimit, FeedPage> read, Runnable stillWaiting)
            throws InterruptedException {
        var budget = budget();
        long share = PageMemory.share(budget);
        // Half of the share, as documents may be larger than the mean.
        int asked = sizes.fitting(Math.min(LARGE_BYTES, share / PageMemory.COPIES / 2), most);
        long expected = sizes.bytes(asked) * PageMemory.COPIES;
        long ample = leastReserved > 0 ? leastReserved : Math.min(2 * expected, share);
        return readInPlace(new Asked(read, asked, budget), Math.max(expected, ample), stillWaiting);
    }

    private @Nullable Held readFew(Function<ReadLimit, FeedPage> read, Runnable stillWaiting)
            throws InterruptedException {
        // Who is slow has to wait long for a page, so it may be a larger one of small documents.
        int asked = sizes.fitting(SMALL_BYTES, answers.isSlow() ? most : Math.min(FEW, most));
        return readInPlace(new Asked(read, asked, budget()), 0, stillWaiting);
    }

    /** An answer may be larger than what is reserved for it: so few reads are under way at once. */
    private @Nullable Held readInPlace(Asked asked, long reserved, Runnable stillWaiting) throws InterruptedException {
        var room = asked.budget().reserve(reserved, stillWaiting);
        boolean isQuick = !answers.isSlow() && answers.tryTakePlace();
        Held held = null;
        try {
            var place = memory.reads().take(!isQuick, stillWaiting);
            try {
                held = read(asked, room);
            } finally {
                place.close();
            }
        } finally {
            if (isQuick) {
                answers.givePlaceBack();
            }
            if (held == null) {
                room.close();
            }
        }
        return held;
    }

    private @Nullable Held read(Asked asked, MemoryBudget.Reservation room) {
        var page = answer(asked.read(), asked.documents());
        return page != null && tryKeep(page, asked, room)
                ? new Held(page, isFull && asked.documents() < pageSize, room)
                : null;
    }

    /** Null when it did not come in time, and may be asked for with more patience. */
    private @Nullable FeedPage answer(Function<ReadLimit, FeedPage> read, int asked) {
        boolean wasSlow = answers.isSlow();
        long begunNanos = nanos.getAsLong();
        try {
            var page = read.apply(new ReadLimit(asked, wasSlow ? PATIENCE : QUICK));
            boolean isQuick = nanos.getAsLong() - begunNanos <= QUICK.toNanos();
            answers.answered(isQuick);
            return page;
        } catch (LateAnswerException e) {
            answers.answered(false);
            if (wasSlow) {
                throw e;
            }
            LOG.atDebug()
                    .addKeyValue(LogKeys.REASON, e.getMessage())
                    .log("a page of the change feed is asked for again");
            return null;
        } catch (RuntimeException e) {
            answers.failed();
            throw e;
        }
    }

    /** Reserves what a page needs; when it has to be read again, says how. */
    private boolean tryKeep(FeedPage page, Asked asked, MemoryBudget.Reservation room) {
        long share = PageMemory.share(asked.budget());
        int documents = page.documents().size();
        long bytes = page.sizeBytes();
        long needed = bytes * PageMemory.COPIES;
        sizes.note(documents, bytes);
        isFull = documents >= asked.documents();
        boolean isTooMuch = asked.documents() > 1 && bytes > SMALL_BYTES && needed > share;
        boolean isKept = !isTooMuch && (bytes <= SMALL_BYTES || room.tryGrowTo(needed));
        if (isKept) {
            room.shrinkTo(needed);
            most = pageSize;
            leastReserved = 0;
        } else {
            // The same page or a smaller one, but not for ever: fewer documents, down to one, or enough memory.
            isFull = true;
            most = isTooMuch ? asked.documents() / 2 : asked.documents();
            leastReserved = isTooMuch ? 0 : needed;
        }
        return isKept;
    }
}
