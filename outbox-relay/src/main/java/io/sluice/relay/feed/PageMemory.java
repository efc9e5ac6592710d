package io.sluice.relay.feed;

import io.sluice.relay.control.MemoryBudget;
import java.util.function.Supplier;

/**
 * Keeps the pages of all ranges within one memory budget, from before they are read until they are processed. The size
 * of a page is known only after it is read: so memory for the largest page is reserved first, and the rest is given
 * back. A page that is larger than the budget is read alone. Thread-safe.
 */
public record PageMemory(MemoryBudget budget) {
    /** The service answers with 4 MB at most; a transactional batch, of up to 2 MB, is not cut. */
    static final long LARGEST_PAGE_BYTES = 6L * 1024 * 1024;
    /** The response, its parsed form, the records made from it, and their copies in Kafka's client. */
    public static final int COPIES = 4;

    /** Processes a page. */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        T on(FeedPage page) throws InterruptedException, E;
    }

    /**
     * Reads a page and processes it.
     *
     * @param stillWaiting runs every second while there is no memory
     */
    public <T, E extends Exception> T holding(Supplier<FeedPage> read, Runnable stillWaiting, Work<T, E> work)
            throws InterruptedException, E {
        try (var room = budget.reserve(LARGEST_PAGE_BYTES * COPIES, stillWaiting)) {
            var page = read.get();
            room.shrinkTo(page.sizeBytes() * COPIES);
            return work.on(page);
        }
    }
}
