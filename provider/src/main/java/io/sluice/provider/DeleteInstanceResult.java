package io.sluice.provider;

/** What a deletion removed. */
public record DeleteInstanceResult(
        long instancesDeleted, long executionsDeleted, long eventsDeleted, long queueMessagesDeleted) {
    /** Nothing. */
    public static final DeleteInstanceResult NOTHING = new DeleteInstanceResult(0, 0, 0, 0);

    /** The sum of both. */
    public DeleteInstanceResult plus(DeleteInstanceResult other) {
        return new DeleteInstanceResult(
                instancesDeleted + other.instancesDeleted,
                executionsDeleted + other.executionsDeleted,
                eventsDeleted + other.eventsDeleted,
                queueMessagesDeleted + other.queueMessagesDeleted);
    }
}
