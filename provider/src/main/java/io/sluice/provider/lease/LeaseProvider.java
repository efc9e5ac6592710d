package io.sluice.provider.lease;

/**
 * Shares the 256 dispatch slots out among callers, dispatchers mostly. Every slot has one holder at most at any time, and soon one at least: who has
 * more than its even share gives slots up when it asks next, and who has less takes them when it asks after that. While nobody comes or goes a
 * caller keeps its slots.
 *
 * <p>A caller that stops asking loses its slots when its share runs out. Thread-safe.
 */
public interface LeaseProvider extends AutoCloseable {
    /**
     * The caller's slots as of now; the first call makes the caller known. To be asked again before each use, and at the latest when the share runs
     * out; slots an earlier share had and this one has not are given up. Never blocks.
     *
     * @param callerId unique among the callers of this provider
     * @return a share that may be empty, when all slots are still held by others
     */
    SlotShare acquireSlots(String callerId);

    /** Gives the caller's slots up and forgets the caller; an unknown one is fine. */
    void releaseSlots(String callerId);

    /** Gives all slots up. Shares handed out before must not be used any more. Closing twice is fine. */
    @Override
    void close();
}
