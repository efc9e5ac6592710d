package io.sluice.examples.runtime;

/**
 * Code with effects. It may run more than once for one step (a worker can die), so it must be idempotent by its input.
 */
@FunctionalInterface
public interface Activity {
    /**
     * Does the work.
     *
     * @return the step's result
     * @throws ActivityFailedException to fail the step
     */
    String run(String input) throws ActivityFailedException, InterruptedException;
}
