package io.sluice.relay.control;

import java.util.function.Supplier;

/**
 * The memory budgets of a relay for large documents: fractions of its heap by purpose. They are separate, so that pages
 * of history that wait for Kafka don't delay intents, and to avoid deadlocks: while a slice of intents or a batch of
 * commands is in memory, one of them is sent with another budget; a page needs no other budget. Thread-safe.
 *
 * @param intents for slices of intents, from before they are read until they are settled
 * @param sending for intents and commands that are being sent to the store
 * @param pages for large pages of the change feed, from before they are read until their events are committed
 * @param slowPages the same for ranges that are slow to read or to publish, so that they keep nothing from the others
 * @param recentPages for large pages of ranges whose publishers are behind, so that what these wait for delays no
 *     intents
 * @param reads for reads of the change feed without a reservation: their answers are bounded by their number
 * @param commandBytes for a batch of commands with their replies; there is one batch at a time
 * @param parkedBytes for commands that are parked
 */
public record RelayMemory(
        MemoryBudget intents,
        MemoryBudget sending,
        MemoryBudget pages,
        MemoryBudget slowPages,
        MemoryBudget recentPages,
        ReadPlaces reads,
        long commandBytes,
        long parkedBytes) {
    private static final double INTENTS = 0.15;
    private static final double SENDING = 0.2;
    private static final double PAGES = 0.15;
    private static final double SLOW_PAGES = 0.05;
    private static final double RECENT_PAGES = 0.05;
    private static final double COMMANDS = 0.1;
    private static final double PARKED = 0.05;

    /** Of heap for each read without a reservation: eight at once in 256 MB. */
    private static final long BYTES_PER_READ = 32L * 1024 * 1024;

    /** The store's response, its parsed form and the text that is kept. */
    private static final int COPIES_READ = 4;

    /** The text, the document made of it, the batch and the body of the request. */
    private static final int COPIES_SENT = 8;
    /** What goes to one partition of the store may take so much of the memory for sending. */
    private static final int SENDING_SHARES = 4;
    /** Smaller texts need no reservation, even if all workers send one at once. */
    private static final int SMALL_CHARS = 16_384;

    /** Fractions of the maximal heap of this process. */
    public static RelayMemory ofHeap() {
        return of(Runtime.getRuntime().maxMemory());
    }

    /** Fractions of a heap of so many bytes. */
    public static RelayMemory of(long heapBytes) {
        return new RelayMemory(
                new MemoryBudget((long) (heapBytes * INTENTS)),
                new MemoryBudget((long) (heapBytes * SENDING)),
                new MemoryBudget((long) (heapBytes * PAGES)),
                new MemoryBudget((long) (heapBytes * SLOW_PAGES)),
                new MemoryBudget((long) (heapBytes * RECENT_PAGES)),
                new ReadPlaces((int) Math.round((double) heapBytes / BYTES_PER_READ)),
                (long) (heapBytes * COMMANDS),
                (long) (heapBytes * PARKED));
    }

    /**
     * Reads intents and processes them, when there is room for their payloads.
     *
     * @param bytes of the payloads; 0 if unknown
     */
    public <T> T readingIntents(long bytes, Supplier<T> work) {
        return intents.holding(bytes * COPIES_READ, work);
    }

    /** Sends a text of so many characters to the store, when there is room for it. */
    public <T> T sending(long chars, Supplier<T> work) {
        return sending.holding(bytesSent(chars), work);
    }

    /** The same for what has a share of that memory, so that it takes no more of it. */
    public <T> T sending(MemoryBudget share, long chars, Supplier<T> work) {
        return share.holding(bytesSent(chars), () -> sending(chars, work));
    }

    private static long bytesSent(long chars) {
        return chars <= SMALL_CHARS ? 0 : chars * COPIES_SENT;
    }

    /** A share of the memory for sending, for what goes to one partition of the store. */
    public MemoryBudget shareOfSending() {
        return new MemoryBudget(sending.bytes() / SENDING_SHARES);
    }
}
