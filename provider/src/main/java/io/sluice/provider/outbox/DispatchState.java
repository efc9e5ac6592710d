package io.sluice.provider.outbox;

/**
 * Where a dispatch stands. Each is what the store holds, but for {@link #SENT}, which only the process that is sending
 * knows.
 */
public enum DispatchState {
    /** To be delivered: the intent has status {@code pending} or {@code queued}, and was never refused. */
    PENDING,
    /** A delivery is under way. After a crash the store still says what it was before, and it is delivered again. */
    SENT,
    /** The target has it: the intent is deleted, the target keeps a receipt. */
    ACKED,
    /** The store refused it at least once; the intent is parked until its next try. */
    FAILED_RETRYABLE,
    /** Given up: status {@code failed}; a dead letter. */
    FAILED_FINAL
}
