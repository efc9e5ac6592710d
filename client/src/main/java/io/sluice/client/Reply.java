package io.sluice.client;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a command ended. The same id gets the same reply again, for seven days after the first. */
public sealed interface Reply {
    /** Id of the command. */
    String commandId();

    /** What the command gave as its correlation id; null for nothing. */
    @Nullable
    String correlationId();

    /**
     * It is in its instance's queue, by this command or by an earlier one of the same id. What the orchestration makes
     * of it, its lifecycle events tell.
     */
    record Accepted(
            String commandId, String instance, @Nullable String correlationId) implements Reply {
        public Accepted {
            Objects.requireNonNull(commandId, "commandId");
            Objects.requireNonNull(instance, "instance");
        }
    }

    /**
     * It is not in its instance's queue and never will be under this id; it is among the dead letters.
     *
     * @param reason for people
     */
    record Rejected(
            String commandId, String reason, @Nullable String correlationId) implements Reply {
        public Rejected {
            Objects.requireNonNull(commandId, "commandId");
            Objects.requireNonNull(reason, "reason");
        }
    }
}
