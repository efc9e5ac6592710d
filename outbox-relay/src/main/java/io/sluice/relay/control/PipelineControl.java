package io.sluice.relay.control;

/**
 * Controls a pipeline: an operator pauses it, and its heartbeats show that it is alive.
 *
 * @param pipeline the pipeline
 * @param pauses which pipelines are paused
 * @param heartbeats receives the heartbeats of its workers
 */
public record PipelineControl(Pipeline pipeline, Pauses pauses, Heartbeats heartbeats) {

    /** The pipeline is never paused and its heartbeats are not read. */
    public static PipelineControl none(Pipeline pipeline) {
        return new PipelineControl(pipeline, new Pauses(), new Heartbeats());
    }

    /** Whether it must take no new work. */
    public boolean isPaused() {
        return pauses.isPaused(pipeline);
    }

    /** Waits until it may go on, or for so many milliseconds. */
    public void awaitResumed(long atMostMillis) throws InterruptedException {
        pauses.awaitResumed(pipeline, atMostMillis);
    }

    /** The pipeline's only worker has finished a step. */
    public void beat() {
        heartbeats.beat(pipeline.label());
    }

    /** One of the pipeline's workers has finished a step. */
    public void beat(String worker) {
        heartbeats.beat(worker(pipeline, worker));
    }

    /** One of the pipeline's workers was ended on purpose. */
    public void forget(String worker) {
        heartbeats.forget(worker(pipeline, worker));
    }

    /** The name of a worker's heartbeat. */
    public static String worker(Pipeline pipeline, String worker) {
        return pipeline.label() + "-" + worker;
    }
}
