package io.sluice.durabletask.history;

import io.sluice.provider.work.WorkItem;
import java.util.Objects;

/** A message that a turn consumes without telling the worker of it. */
public record DroppedMessage(WorkItem message, Reason reason) {
    public DroppedMessage {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(reason, "reason");
    }

    /** Why it is of no use. */
    public enum Reason {
        /** The instance has finished. */
        FINISHED,
        /** It is for an execution before the current one, or for nothing that this one has scheduled. */
        STALE,
        /** It brings again what has been brought. */
        DUPLICATE,
        /** A parent starts what is running already; the parent gets a failure. */
        RUNNING,
        /** No orchestration of DurableTask takes such messages. */
        FOREIGN
    }
}
