package io.sluice.relay.ops;

/**
 * What a part of the relay hears from its operator, and tells of itself.
 *
 * @param part which one
 * @param pauses whether it may go on
 * @param heartbeats where it shows that it comes through
 */
public record PipelineControl(Pipeline part, Pauses pauses, Heartbeats heartbeats) {

    /** Nobody pauses this part or listens to it. */
    public static PipelineControl none(Pipeline part) {
        return new PipelineControl(part, new Pauses(), new Heartbeats());
    }

    /** Whether it is to take nothing new. */
    public boolean isPaused() {
        return pauses.isPaused(part);
    }

    /** Waits until it may go on, or for so many milliseconds. */
    public void awaitResumed(long atMostMillis) throws InterruptedException {
        pauses.awaitResumed(part, atMostMillis);
    }

    /** The part's worker came through. */
    public void beat() {
        heartbeats.beat(part.label());
    }

    /** One of the part's workers came through. */
    public void beat(int worker) {
        heartbeats.beat(worker(part, worker));
    }

    /** One of the part's workers was ended on purpose. */
    public void forget(int worker) {
        heartbeats.forget(worker(part, worker));
    }

    /** What a part's worker is called among the heartbeats. */
    public static String worker(Pipeline part, int worker) {
        return part.label() + "-" + worker;
    }
}
