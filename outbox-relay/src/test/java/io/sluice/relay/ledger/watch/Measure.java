package io.sluice.relay.ledger.watch;

/**
 * What is watched of a process, and by how much it may grow without meaning anything. Threads and connections of a
 * relay follow the key ranges that it owns, half of them or, while the other relay is dead, all: what four ranges have
 * is no growth. A run kills dozens of times, so what each kill left behind would be more.
 */
public enum Measure {
    /** Resident memory; the heap is all there from the beginning, so this is what grows outside of it. */
    RSS("RSS, MB", 24),
    /**
     * Used heap after a collection; of the emulator less {@value Samples#KILOBYTES_PER_DOCUMENT} KB for each document
     * that it has to keep.
     */
    HEAP("heap after GC, MB", 8),
    /** Buffers outside of the heap. */
    DIRECT("direct buffers, MB", 8),
    THREADS("threads", 16),
    DESCRIPTORS("file descriptors", 24),
    /** Established connections with the emulator. */
    TO_COSMOS("connections to Cosmos", 12),
    /** Established connections with the broker. */
    TO_KAFKA("connections to Kafka", 14);

    private final String words;
    private final double constant;

    Measure(String words, double constant) {
        this.words = words;
        this.constant = constant;
    }

    /** For people. */
    public String words() {
        return words;
    }

    double constant() {
        return constant;
    }
}
