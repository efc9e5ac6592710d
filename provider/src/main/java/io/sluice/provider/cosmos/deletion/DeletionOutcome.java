package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.DeleteInstanceResult;
import java.util.List;

/** How an attempt to delete ended. Only {@link Deleted} deletes anything. */
public sealed interface DeletionOutcome {
    /** All members are gone. */
    record Deleted(DeleteInstanceResult result) implements DeletionOutcome {}

    /**
     * These members run and may not be deleted then, or they are not what was to be deleted.
     *
     * @param notBegun those of them that were started and wait for their first turn
     */
    record Refused(List<String> instances, List<String> notBegun) implements DeletionOutcome {
        public Refused {
            instances = List.copyOf(instances);
            notBegun = List.copyOf(notBegun);
        }
    }

    /**
     * Members have children that are not members.
     *
     * @param starting children that have not had a turn yet
     */
    record ChildrenOutside(List<String> started, List<String> starting) implements DeletionOutcome {
        public ChildrenOutside {
            started = List.copyOf(started);
            starting = List.copyOf(starting);
        }

        boolean isEmpty() {
            return started.isEmpty() && starting.isEmpty();
        }
    }

    /** Another deletion holds this member. */
    record Busy(String instance) implements DeletionOutcome {}

    /** A member changed during the attempt: try again. */
    record Moved() implements DeletionOutcome {}
}
