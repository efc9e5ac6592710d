package io.sluice.provider.cosmos.deletion;

/** What became of an instance that was met in the hands of a deletion, or of none. */
public enum Meeting {
    /** The deletion was committed, and the instance has just been removed: to everybody it does not exist. */
    GONE,
    /** No deletion holds it, or one that was given up: its lock, if it bears that deletion's name, is anybody's to take. */
    FREE,
    /** A deletion holds it and has not decided yet. It still exists, and can't be locked now. */
    BUSY
}
