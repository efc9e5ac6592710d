package io.sluice.examples.runtime;

/** A scheduled step of an orchestration. */
public interface Step {
    /**
     * The step's result; leaves the turn when it is not there yet.
     *
     * @throws StepFailedException when the activity or sub-orchestration failed
     * @throws OrchestrationCancelledException once, at the step that was being waited for when the instance was
     *     cancelled; that step is cancelled, steps asked for afterwards run as usual, so that code can put things right
     *     before it rethrows
     */
    String await();
}
