package io.sluice.examples.runtime;

import io.sluice.provider.work.WorkItem;

/**
 * Code with effects. It may run more than once for one step (a worker can die), so it must be idempotent by its input.
 */
@FunctionalInterface
public interface Activity {
    /**
     * Does the work that {@code task} asks for.
     *
     * @return the step's result
     * @throws ActivityFailedException to fail the step; any other exception fails it too, as a fault of the code
     */
    String run(WorkItem.ActivityExecute task) throws Exception;
}
