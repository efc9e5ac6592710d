package io.sluice.relay.control;

import java.util.function.Supplier;

/**
 * The budget of a relay for large documents: part of its heap, divided by what they are held for. The parts are apart,
 * so that pages of history that wait for Kafka hold up no intent, and nobody waits for a part while others wait there
 * for him: a slice of intents and a batch of commands are held while one of them is sent, a page is held while nothing
 * else is asked for. Thread-safe.
 *
 * @param intents for slices of intents from before they are read until they are settled
 * @param sending for what is being sent to the store: intents and commands
 * @param pages for pages of the change feed from before they are read until their events are committed
 * @param commandBytes how much may be held of commands that are worked on together, their replies included; only one
 *     batch is at a time
 */
public record RelayMemory(MemoryBudget intents, MemoryBudget sending, MemoryBudget pages, long commandBytes) {
    private static final double INTENTS = 0.15;
    private static final double SENDING = 0.2;
    private static final double PAGES = 0.2;
    private static final double COMMANDS = 0.1;

    /** The store's response, its parsed form and the text that is kept. */
    private static final int COPIES_READ = 4;

    /** The text, the document made of it, the batch and the body of the request. */
    private static final int COPIES_SENT = 8;
    /** Smaller ones are no matter, even if all workers send one at a time. */
    private static final int SMALL_CHARS = 16_384;

    /** Parts of the largest heap this process may have. */
    public static RelayMemory ofHeap() {
        return of(Runtime.getRuntime().maxMemory());
    }

    /** Parts of a heap of so many bytes. */
    public static RelayMemory of(long heapBytes) {
        return new RelayMemory(
                new MemoryBudget((long) (heapBytes * INTENTS)),
                new MemoryBudget((long) (heapBytes * SENDING)),
                new MemoryBudget((long) (heapBytes * PAGES)),
                (long) (heapBytes * COMMANDS));
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
        return sending.holding(chars <= SMALL_CHARS ? 0 : chars * COPIES_SENT, work);
    }
}
