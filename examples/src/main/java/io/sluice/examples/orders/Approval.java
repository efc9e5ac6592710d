package io.sluice.examples.orders;

/** What an approver will say about the order. */
public enum Approval {
    /** No approval is needed. */
    NONE,
    /** Waits, and is approved. */
    GRANTED,
    /** Waits, and is refused. */
    DENIED,
    /** Waits for an answer that never comes: the customer cancels first. */
    PENDING
}
