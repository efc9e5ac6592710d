package io.sluice.durabletask.turn;

import io.sluice.durabletask.history.DtFields;
import io.sluice.durabletask.history.ExecutionFacts;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.history.ParentLink;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.CompleteOrchestrationAction;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.DispatchOptions;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.TraceContext;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a turn ends: with the execution going on, ended, or followed by another one. */
final class Ending {
    /** The id of what comes from outside. */
    static final int NO_ID = -1;

    private final OpenTurn turn;
    private final ExecutionFacts facts;
    private final ExecutionStartedEvent started;
    private final TurnDelta delta;
    private final Supplier<String> guids;
    private ExecutionMetadata metadata;
    private InstanceState state;

    /**
     * For one turn.
     *
     * @param facts of the execution, with what the turn has brought
     * @param guids names the next execution
     */
    Ending(OpenTurn turn, ExecutionFacts facts, TurnDelta delta, Supplier<String> guids) {
        this.turn = turn;
        this.facts = facts;
        this.started = Objects.requireNonNullElse(facts.started(), ExecutionStartedEvent.getDefaultInstance());
        this.delta = delta;
        this.guids = guids;
        this.metadata = turn.intake().isFirstTurn() ? firstMetadata() : ExecutionMetadata.NONE;
        this.state = new InstanceState(
                facts.isSuspended()
                        ? OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED
                        : OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING,
                facts.executionGuid(),
                started.getTagsMap(),
                facts.parent() == null ? null : facts.parent().instance(),
                started.hasInput() ? started.getInput().getValue().length() : -1,
                null,
                null);
    }

    /** The host pins executions to its format, and names no parent: a purge may leave children. */
    private ExecutionMetadata firstMetadata() {
        return ExecutionMetadata.NONE
                .withOrchestration(started.getName(), started.getVersion().getValue())
                .withPinnedVersion(DtFields.FORMAT);
    }

    /** Asks an instance to end. */
    static WorkItem termination(TurnDelta delta, String instance, @Nullable String reason, boolean recurse) {
        Protocol.HistoryEvent.Builder event = delta.event(NO_ID);
        event.getExecutionTerminatedBuilder().setRecurse(recurse);
        if (reason != null) {
            event.getExecutionTerminatedBuilder().setInput(Wire.text(reason));
        }
        return MessageEncoder.external(instance, event.build());
    }

    /**
     * Ends the execution as the worker says.
     *
     * @param openChildren that have not ended
     */
    void complete(OrchestratorAction action, Supplier<List<String>> openChildren) {
        CompleteOrchestrationAction complete = action.getCompleteOrchestration();
        OrchestrationStatus status = complete.getOrchestrationStatus();
        switch (status) {
            case ORCHESTRATION_STATUS_COMPLETED -> finish(action, "Completed", result(complete));
            case ORCHESTRATION_STATUS_FAILED ->
                finish(action, "Failed", complete.getFailureDetails().getErrorMessage());
            case ORCHESTRATION_STATUS_TERMINATED, ORCHESTRATION_STATUS_CANCELED -> {
                finish(action, "Failed", result(complete));
                if (facts.isTerminatedWithChildren()) {
                    openChildren.get().forEach(child -> delta.send(termination(delta, child, result(complete), true)));
                }
            }
            case ORCHESTRATION_STATUS_CONTINUED_AS_NEW -> continueAsNew(action);
            case ORCHESTRATION_STATUS_RUNNING,
                    ORCHESTRATION_STATUS_PENDING,
                    ORCHESTRATION_STATUS_SUSPENDED,
                    UNRECOGNIZED ->
                throw RefusedResponseException.invalid("action " + action.getId()
                        + ": completeOrchestration.orchestrationStatus must be COMPLETED, FAILED, TERMINATED, CANCELED"
                        + " or CONTINUED_AS_NEW, was " + status);
        }
    }

    private void finish(OrchestratorAction action, String status, @Nullable String output) {
        CompleteOrchestrationAction complete = action.getCompleteOrchestration();
        delta.add(action, completed(action));
        metadata = metadata.withStatus(status, output);
        TaskFailureDetails failure = complete.hasFailureDetails() ? complete.getFailureDetails() : null;
        state = state.ended(complete.getOrchestrationStatus(), delta.now(), failure);
        ParentLink parent = facts.parent();
        if (parent != null) {
            delta.send(MessageEncoder.childEnded(parent, answer(complete)));
        }
    }

    private Protocol.HistoryEvent completed(OrchestratorAction action) {
        CompleteOrchestrationAction complete = action.getCompleteOrchestration();
        Protocol.HistoryEvent.Builder event = delta.event(action.getId());
        var completed = event.getExecutionCompletedBuilder().setOrchestrationStatus(complete.getOrchestrationStatus());
        if (complete.hasResult()) {
            completed.setResult(complete.getResult());
        }
        if (complete.hasFailureDetails()) {
            completed.setFailureDetails(complete.getFailureDetails());
        }
        return event.build();
    }

    private Protocol.HistoryEvent answer(CompleteOrchestrationAction complete) {
        int awaited = started.getParentInstance().getTaskScheduledId();
        Protocol.HistoryEvent.Builder event = delta.event(NO_ID);
        if (complete.getOrchestrationStatus() == OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED) {
            event.getSubOrchestrationInstanceCompletedBuilder().setTaskScheduledId(awaited);
            if (complete.hasResult()) {
                event.getSubOrchestrationInstanceCompletedBuilder().setResult(complete.getResult());
            }
        } else {
            event.getSubOrchestrationInstanceFailedBuilder()
                    .setTaskScheduledId(awaited)
                    .setFailureDetails(
                            complete.hasFailureDetails() ? complete.getFailureDetails() : notFailed(complete));
        }
        return event.build();
    }

    /** For a parent, a child that was terminated has failed. */
    private TaskFailureDetails notFailed(CompleteOrchestrationAction complete) {
        String status = complete.getOrchestrationStatus() == OrchestrationStatus.ORCHESTRATION_STATUS_FAILED
                ? "failed"
                : "was terminated";
        String reason = result(complete);
        return TaskFailureDetails.newBuilder()
                .setErrorType("SubOrchestrationEnded")
                .setErrorMessage(
                        "sub-orchestration '" + turn.instance() + "' " + status + (reason == null ? "" : ": " + reason))
                .build();
    }

    private void continueAsNew(OrchestratorAction action) {
        CompleteOrchestrationAction complete = action.getCompleteOrchestration();
        for (Protocol.HistoryEvent event : complete.getCarryoverEventsList()) {
            if (!MessageEncoder.isExternal(event)) {
                throw RefusedResponseException.invalid("action " + action.getId()
                        + ": completeOrchestration.carryoverEvents holds what comes from outside, had "
                        + event.getEventTypeCase());
            }
        }
        delta.add(action, completed(action));
        metadata = metadata.withStatus("ContinuedAsNew", result(complete));
        WorkItem next = MessageEncoder.continueAsNew(
                turn.instance(),
                nextStart(complete),
                facts.parent(),
                complete.getCarryoverEventsList(),
                facts.customStatus());
        delta.send(action, next);
    }

    /** The start of the next execution: of the same parent, under a GUID of its own. */
    private Protocol.HistoryEvent nextStart(CompleteOrchestrationAction complete) {
        Protocol.HistoryEvent.Builder event = delta.event(NO_ID);
        ExecutionStartedEvent.Builder next = event.setExecutionStarted(started)
                .getExecutionStartedBuilder()
                .clearInput()
                .clearScheduledStartTimestamp();
        next.getOrchestrationInstanceBuilder().setInstanceId(turn.instance()).setExecutionId(Wire.text(guids.get()));
        if (complete.hasResult()) {
            next.setInput(complete.getResult());
        }
        if (complete.hasNewVersion()) {
            next.setVersion(complete.getNewVersion());
        }
        if (complete.getTagsCount() > 0) {
            next.clearTags().putAllTags(complete.getTagsMap());
        }
        return event.build();
    }

    private static @Nullable String result(CompleteOrchestrationAction complete) {
        return Wire.orNull(complete.hasResult(), complete.getResult());
    }

    /** All that the turn commits. */
    TurnOutcome outcome() {
        return new TurnOutcome(
                turn.intake().executionId(),
                delta.events(),
                delta.activities(),
                delta.messages(),
                metadata,
                state,
                dispatch());
    }

    private DispatchOptions dispatch() {
        Protocol.TraceContext trace = started.getParentTraceContext();
        return TraceContext.parse(trace.getTraceParent(), Wire.orNull(trace.hasTraceState(), trace.getTraceState()))
                .map(DispatchOptions.NONE::withTrace)
                .orElse(DispatchOptions.NONE);
    }
}
