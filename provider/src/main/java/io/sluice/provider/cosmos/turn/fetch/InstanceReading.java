package io.sluice.provider.cosmos.turn.fetch;

/** What a read of a candidate's partition showed. */
sealed interface InstanceReading {
    /**
     * The instance may be locked.
     *
     * @param sessionToken how far the replica was
     */
    record Ready(KnownInstance known, String sessionToken) implements InstanceReading {}

    /**
     * It shows no messages to take.
     *
     * @param sessionToken how far the replica was
     */
    record Empty(String sessionToken) implements InstanceReading {}

    /** Another holder's lock is alive. */
    record Locked(long untilMillis) implements InstanceReading {}

    /** Its messages wait for a start that has not come. */
    record Waiting(long untilMillis) implements InstanceReading {}

    /** A turn or a deletion that was under way there has been finished: read again. */
    record Changed() implements InstanceReading {}
}
