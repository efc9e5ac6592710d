package io.sluice.provider.contract.replay;

import io.sluice.provider.work.WorkItem;

/** Code with side effects, run by a worker. What it throws is its failure. */
@FunctionalInterface
public interface Activity {
    /** Does the work that {@code item} asks for. */
    String run(WorkItem.ActivityExecute item) throws Exception;
}
