package io.sluice.provider.cosmos.candidate;

/** What came of trying a candidate. */
public enum TryOutcome {
    /** It is locked; what was announced of it is handled when the lock's holder is done with it. */
    LOCKED,
    /** Nothing more is to be done about it, until something new is heard of it. */
    DONE,
    /** It has to be tried again. */
    AGAIN
}
