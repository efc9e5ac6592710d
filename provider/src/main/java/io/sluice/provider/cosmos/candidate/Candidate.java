package io.sluice.provider.cosmos.candidate;

/** Something that may be locked. */
public interface Candidate {
    /** No two dispatchers get candidates with the same key at a time. */
    String key();

    /** When the query that found it was sent, on the monotonic clock. */
    long queriedAtNanos();

    /** Whether it has the message that its key may have been excluded for the lack of. */
    default boolean isAwaited() {
        return false;
    }
}
