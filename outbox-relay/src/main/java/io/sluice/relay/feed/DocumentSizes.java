package io.sluice.relay.feed;

/**
 * Estimates the memory of a range's documents from the pages that were read: the mean of the latest page, at once if it
 * has grown, by half a page if it has shrunk. Not thread-safe.
 */
final class DocumentSizes {
    private static final long UNKNOWN = 0;

    private long mean = UNKNOWN;

    /** Notes a page. */
    void note(int documents, long bytes) {
        if (documents > 0) {
            mean = Math.max(Math.max(1, bytes / documents), mean / 2);
        }
    }

    /** How many documents will take so many bytes, 1 at least; 1 while no document was seen. */
    int fitting(long bytes, int most) {
        return mean == UNKNOWN ? 1 : (int) Math.max(1, Math.min(most, bytes / mean));
    }

    /** The memory that so many documents will take; 0 while no document was seen. */
    long bytes(int documents) {
        return mean * documents;
    }
}
