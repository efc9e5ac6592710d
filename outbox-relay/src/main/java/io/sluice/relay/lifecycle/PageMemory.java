package io.sluice.relay.lifecycle;

import io.sluice.relay.feed.FeedPage;
import io.sluice.relay.ops.MemoryBudget;
import java.util.function.Supplier;

/**
 * Keeps the pages of all ranges within one budget, from before they are read until they are worked off. How large a page is shows only when it is there, so room
 * for the largest is reserved first, and what it does not need is given back. A page that is larger than the budget is read alone. Thread-safe.
 */
record PageMemory(MemoryBudget budget) {
    /** The service answers with 4 MB at most; a transactional batch, of up to 2 MB, is not cut. */
    static final long LARGEST_PAGE_BYTES = 6L * 1024 * 1024;
    /** The answer, its parsed form, the records made of it, and what of them Kafka's client has. */
    static final int COPIES = 4;

    /** What is done with a page. */
    @FunctionalInterface
    interface Work<T, E extends Exception> {
        T on(FeedPage page) throws InterruptedException, E;
    }

    /**
     * Reads a page and works it off.
     *
     * @param stillWaiting is run every second while there is no room
     */
    <T, E extends Exception> T holding(Supplier<FeedPage> read, Runnable stillWaiting, Work<T, E> work)
            throws InterruptedException, E {
        try (var room = budget.reserve(LARGEST_PAGE_BYTES * COPIES, stillWaiting)) {
            var page = read.get();
            room.shrinkTo(page.sizeBytes() * COPIES);
            return work.on(page);
        }
    }
}
