package io.sluice.provider.cosmos.turn;

/** What a look at a candidate's partition showed. */
sealed interface InstanceLook {
    /** The instance may be locked. */
    record Ready(KnownInstance known) implements InstanceLook {}

    /** Its messages are gone. */
    record Empty() implements InstanceLook {}

    /** Another holder's lock is alive. */
    record Locked(long untilMillis) implements InstanceLook {}

    /** Its messages wait for a start that has not come. */
    record Waiting(long untilMillis) implements InstanceLook {}

    /** A turn or a deletion that was under way there has been finished: look again. */
    record Changed() implements InstanceLook {}
}
