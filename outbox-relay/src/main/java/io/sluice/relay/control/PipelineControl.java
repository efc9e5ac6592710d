package io.sluice.relay.control;

/**
 * How an operator controls a pipeline: pauses it, and sees by its heartbeats that it lives.
 *
 * @param part the pipeline
 * @param pauses which pipelines are paused
 * @param heartbeats receives the heartbeats of its workers
 */
public record PipelineControl(Pipeline part, Pauses pauses, Heartbeats heartbeats) {

    /** For tests: nobody pauses this pipeline or reads its heartbeats. */
    public static PipelineControl none(Pipeline part) {
        return new PipelineControl(part, new Pauses(), new Heartbeats());
    }

    /** Whether it must take no new work. */
    public boolean isPaused() {
        return pauses.isPaused(part);
    }

    /** Waits until it may go on, or for so many milliseconds. */
    public void awaitResumed(long atMostMillis) throws InterruptedException {
        pauses.awaitResumed(part, atMostMillis);
    }

    /** The pipeline's only worker has finished a step. */
    public void beat() {
        heartbeats.beat(part.label());
    }

    /** One of the pipeline's workers has finished a step. */
    public void beat(int worker) {
        heartbeats.beat(worker(part, worker));
    }

    /** One of the pipeline's workers was ended on purpose. */
    public void forget(int worker) {
        heartbeats.forget(worker(part, worker));
    }

    /** The name of a worker's heartbeat. */
    public static String worker(Pipeline pipeline, int worker) {
        return pipeline.label() + "-" + worker;
    }
}
