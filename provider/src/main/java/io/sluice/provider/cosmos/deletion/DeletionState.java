package io.sluice.provider.cosmos.deletion;

/** State of an instance that bears a deletion's lock. */
public enum DeletionState {
    /** The deletion was committed, and the instance has just been removed: it does not exist. */
    REMOVED,
    /**
     * No deletion holds it, or an aborted one; any process may take the lock of an aborted deletion.
     */
    FREE,
    /** An undecided deletion holds it: the instance still exists, and can't be locked now. */
    UNDECIDED
}
