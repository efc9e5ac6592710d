package io.sluice.provider.lease;

/**
 * Divides the 256 dispatch slots among callers, mostly dispatchers. A slot has at most one holder at any time, and soon
 * gets one: a caller with more than its even share gives slots up when it asks next, and a caller with less takes them
 * when it asks after that. While no caller comes or goes, each keeps its slots.
 *
 * <p>A caller that stops asking loses its slots when its share expires. Thread-safe.
 */
public interface LeaseProvider extends AutoCloseable {
    /**
     * The caller's slots as of now; the first call makes the caller known. Call it again before each use, and at the
     * latest when the share expires; slots of an earlier share that this one lacks are given up. Never blocks.
     *
     * @param callerId unique among the callers of this provider
     * @return a share that may be empty, when all slots are still held by others
     */
    SlotShare acquireSlots(String callerId);

    /** Gives the caller's slots up and forgets the caller; an unknown one is fine. */
    void releaseSlots(String callerId);

    /** Gives all slots up. Shares given out before must not be used any more. Closing twice is fine. */
    @Override
    void close();
}
