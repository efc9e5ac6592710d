package io.sluice.provider.cosmos.candidate;

/** What is known of a candidate by what was announced of it. */
public enum Knowledge {
    /** It has the announced documents and no others, so it can be locked at once. */
    COMPLETE,
    /** It has the announced documents, and may have others. */
    PARTIAL,
    /** It was announced without its documents, or an earlier try failed: the store has to be asked. */
    OUTDATED
}
