package io.sluice.durabletask.history;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the events of one execution say about it.
 *
 * @param started how it began; null while there are no events
 * @param parent who awaits its result; null for a root
 * @param ending whether and how it has ended
 * @param suspension that holds it; null if it was not suspended, or was resumed since
 * @param termination that somebody asked for, the first, recursive if any of them is; null for none
 * @param customStatus of this execution, or, until it has one, of the execution before; null for none
 */
public record ExecutionFacts(
        Protocol.@Nullable ExecutionStartedEvent started,
        @Nullable ParentLink parent,
        Ending ending,
        Protocol.@Nullable HistoryEvent suspension,
        @Nullable Termination termination,
        @Nullable String customStatus) {
    /** How an execution has ended. */
    public enum Ending {
        /** It runs. */
        NONE,
        /** Another execution follows. */
        CONTINUED_AS_NEW,
        /** It has completed, failed, or was terminated. */
        FINISHED
    }

    /**
     * A termination that was asked for.
     *
     * @param output of the execution, JSON; null for none
     * @param withChildren whether its children end along with it
     */
    public record Termination(@Nullable String output, boolean withChildren) {}

    /**
     * Reads a whole history: an end need not be its last event.
     *
     * @throws HistoryFormatException naming the event, when this version cannot read it
     */
    public static ExecutionFacts of(List<HistoryEvent> history, ReplayedIds ids) {
        Reader reader = new Reader(ids);
        history.forEach(reader::read);
        return reader.facts();
    }

    /** Whether it was suspended and not resumed since. */
    public boolean isSuspended() {
        return suspension != null;
    }

    /** Whether somebody asked that it and its children be terminated. */
    public boolean isTerminatedWithChildren() {
        return termination != null && termination.withChildren();
    }

    /** The GUID of the execution; empty when it has none. */
    public String executionGuid() {
        return started == null
                ? ""
                : started.getOrchestrationInstance().getExecutionId().getValue();
    }

    /** The GUID of the parent's execution that awaits the result; empty for a root, and when it has none. */
    public String parentGuid() {
        return started == null ? "" : ParentLink.guidIn(started);
    }

    /** The version of the orchestration; null when it has none. */
    public @Nullable String version() {
        return started == null || !started.hasVersion()
                ? null
                : started.getVersion().getValue();
    }

    private static final class Reader {
        private final ReplayedIds ids;
        private Protocol.@Nullable ExecutionStartedEvent started;
        private @Nullable ParentLink parent;
        private Ending ending = Ending.NONE;
        private Protocol.@Nullable HistoryEvent suspension;
        private @Nullable Termination termination;
        private @Nullable String customStatus;

        Reader(ReplayedIds ids) {
            this.ids = ids;
        }

        void read(HistoryEvent event) {
            EventKind kind = event.kind();
            if (kind instanceof EventKind.OrchestrationStarted start) {
                started = decoded(event).getExecutionStarted();
                parent = ParentLink.of(start);
                customStatus = start.initialCustomStatus();
            } else if (kind instanceof EventKind.CustomStatusUpdated updated) {
                customStatus = updated.status();
            } else if (kind instanceof EventKind.OrchestrationContinuedAsNew) {
                ending = Ending.CONTINUED_AS_NEW;
            } else if (kind instanceof EventKind.OrchestrationCompleted
                    || kind instanceof EventKind.OrchestrationFailed) {
                ending = Ending.FINISHED;
            } else if (kind instanceof EventKind.OrchestrationCancelRequested) {
                readTermination(decoded(event).getExecutionTerminated());
            } else if (kind instanceof EventKind.ExternalEvent external && OwnNames.contain(external.name())) {
                readSuspension(decoded(event));
            }
        }

        private void readTermination(Protocol.ExecutionTerminatedEvent terminated) {
            var first = termination == null
                    ? new Termination(Wire.orNull(terminated.hasInput(), terminated.getInput()), false)
                    : termination;
            termination = new Termination(first.output(), first.withChildren() || terminated.getRecurse());
        }

        private void readSuspension(Protocol.HistoryEvent event) {
            if (event.hasExecutionSuspended()) {
                suspension = event;
            } else if (event.hasExecutionResumed()) {
                suspension = null;
            }
        }

        private Protocol.HistoryEvent decoded(HistoryEvent event) {
            return EventDecoder.decode(event, ids).orElseThrow();
        }

        ExecutionFacts facts() {
            return new ExecutionFacts(started, parent, ending, suspension, termination, customStatus);
        }
    }
}
