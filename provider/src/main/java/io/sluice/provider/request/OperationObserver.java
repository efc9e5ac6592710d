package io.sluice.provider.request;

/**
 * Hears of every operation of the contract once it has ended, on the thread that ran it. Must be quick, and must not
 * throw.
 */
@FunctionalInterface
public interface OperationObserver {
    /** Hears nothing. */
    OperationObserver NONE = (cost, result) -> {};

    /** An operation has ended. */
    void ended(OperationCost cost, Result result);

    /** How an operation ended. */
    enum Result {
        /** It did what it was asked for. */
        OK,
        /** There was nothing: no work, no such value. */
        EMPTY,
        /** It failed, and may be tried again. */
        RETRYABLE,
        /** It failed permanently. */
        PERMANENT,
        /** It failed permanently because the lock is no longer the caller's. */
        LOCK_LOST
    }
}
