package io.sluice.provider.cosmos.turn.ack;

/** Whether an ack is committed, as far as the store shows. */
enum CommitState {
    /** An earlier try of this ack went through. */
    COMMITTED,
    /** No try went through; the lock is ours and alive, so that the ack can be tried again. */
    OPEN
}
