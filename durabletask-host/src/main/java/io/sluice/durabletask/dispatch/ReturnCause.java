package io.sluice.durabletask.dispatch;

/** Why an item was given back to the queue. */
enum ReturnCause {
    /** The stream of its worker has ended. */
    WORKER_GONE,
    /** The host closes. */
    CLOSING,
    /** Its worker does not want it. */
    ABANDONED,
    /** The answer can't be committed, and another try would not help. */
    REFUSED,
    /** The answer could not be committed in time. */
    UNAVAILABLE,
    /** No worker could take it any more when it was fetched. */
    NO_WORKER,
    /** It came before what it follows. */
    TOO_EARLY,
    /** Its worker could not receive it. */
    TOO_LARGE,
    /** This version can't read it. */
    UNREADABLE
}
