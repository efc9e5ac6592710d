package io.sluice.provider.cosmos.candidate;

/** Something that may be locked. */
public interface Candidate {
    /** What excludes whom: no two dispatchers get candidates of the same key. */
    String key();

    /** When the query that found it was sent, on the monotonic clock. */
    long queriedAtNanos();

    /** Whether it brings something for whose want its key may have been excluded. */
    default boolean isAwaited() {
        return false;
    }
}
