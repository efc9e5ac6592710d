package io.sluice.durabletask.history;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who awaits an execution's result, in the provider's numbers. It survives continue-as-new.
 *
 * @param instance the parent
 * @param executionId the parent's execution; a result for an earlier one is stale
 * @param eventId the parent's event that scheduled the child
 */
public record ParentLink(String instance, long executionId, long eventId) {
    /** Of a parent that an older runtime recorded without its execution. */
    private static final long FIRST_EXECUTION = 1;

    public ParentLink {
        Objects.requireNonNull(instance, "instance");
    }

    /** The one in a start message; null for a root. */
    static @Nullable ParentLink of(WorkItem.StartOrchestration start) {
        return of(start.parentInstance(), start.parentExecutionId(), start.parentId());
    }

    /** The one in a continue-as-new message; null for a root. */
    static @Nullable ParentLink of(WorkItem.ContinueAsNew next) {
        return of(next.parentInstance(), next.parentExecutionId(), next.parentId());
    }

    /** The one in a stored start; null for a root. */
    static @Nullable ParentLink of(EventKind.OrchestrationStarted started) {
        return of(started.parentInstance(), started.parentExecutionId(), started.parentId());
    }

    /** The GUID of the parent's execution in a start; empty for a root, and when it has none. */
    static String guidIn(Protocol.ExecutionStartedEvent started) {
        return started.getParentInstance()
                .getOrchestrationInstance()
                .getExecutionId()
                .getValue();
    }

    private static @Nullable ParentLink of(
            @Nullable String instance, @Nullable Long executionId, @Nullable Long eventId) {
        if (instance == null || eventId == null) {
            return null;
        }
        return new ParentLink(instance, Objects.requireNonNullElse(executionId, FIRST_EXECUTION), eventId);
    }
}
