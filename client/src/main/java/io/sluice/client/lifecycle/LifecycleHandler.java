package io.sluice.client.lifecycle;

/** What a reader does with each event. Called by the reader's one thread, in order per instance. */
@FunctionalInterface
public interface LifecycleHandler {
    /**
     * Handles an event. The same event may come again after a crash, a rebalance or a failure: its
     * {@link LifecycleEvent#id} is the same then.
     *
     * @throws Exception when it could not be handled; {@link #onFailure} decides what then
     */
    void handle(LifecycleEvent event) throws Exception;

    /**
     * An event could not be handled: {@link Verdict#RETRY} unless overridden.
     *
     * @param attempts how often this event was tried, this time included
     */
    default Verdict onFailure(LifecycleEvent event, Exception failure, int attempts) {
        return Verdict.RETRY;
    }

    /** A record is no lifecycle event: {@link Verdict#STOP} unless overridden. */
    default Verdict onBadRecord(BadRecord bad) {
        return Verdict.STOP;
    }
}
