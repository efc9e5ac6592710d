package io.sluice.relay.history;

/** Where the publisher of a key range stands. */
public enum RangeState {
    /** Raising the epoch and reading the position. */
    TAKING_OVER,
    /** Reading the feed, publishing what it finds. */
    PUBLISHING,
    /** An operator has paused it; it keeps its range and reads nothing. */
    PAUSED,
    /** Waiting after a failure, before it takes over again. */
    RECOVERING,
    /** Its position can't be trusted; an operator has to decide. */
    REFUSED,
    /** The service has split it: its parts go on as ranges of their own. */
    SPLIT,
    /** Ended: the group gave the range away, or the relay closes. */
    ENDED
}
