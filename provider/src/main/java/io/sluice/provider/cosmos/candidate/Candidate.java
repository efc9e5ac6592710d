package io.sluice.provider.cosmos.candidate;

/** Something that may be locked. */
public interface Candidate {
    /** What excludes whom: no two dispatchers get candidates of the same key. */
    String key();

    /** When the query that found it was sent, on the monotonic clock. */
    long queriedAtNanos();
}
