package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.DeleteInstanceResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** Nothing was deleted for a reason that passes: try again. */
    sealed interface Passing extends DeletionOutcome {
        /** The reason, for a message. */
        String reason();
    }

    /** Another deletion holds this member, and is not decided. */
    record Busy(String instance) implements Passing {
        @Override
        public String reason() {
            return "another deletion, which is not decided yet, holds instance '" + instance + "'";
        }
    }

    /**
     * Members changed during the attempt.
     *
     * @param instance the one that did; null when it was more than one, or is not known
     */
    record Moved(@Nullable String instance) implements Passing {
        @Override
        public String reason() {
            return "others kept changing " + (instance == null ? "it" : "instance '" + instance + "'");
        }
    }

    /** Another process aborted the deletion. */
    record Aborted() implements Passing {
        @Override
        public String reason() {
            return "another process aborted the deletion, since its decision was overdue";
        }
    }
}
