package io.sluice.provider.cosmos.deletion;

/** What a deletion has done with an instance that was found. */
public enum DeletionState {
    /** The deletion was committed, and the instance has just been removed: to everybody it does not exist. */
    REMOVED,
    /**
     * No deletion holds it, or one that was given up: its lock, if it bears that deletion's name, is anybody's to take.
     */
    FREE,
    /** A deletion holds it and has not decided yet. The instance still exists, and can't be locked now. */
    UNDECIDED
}
