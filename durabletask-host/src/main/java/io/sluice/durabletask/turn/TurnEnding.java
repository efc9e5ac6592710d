package io.sluice.durabletask.turn;

import io.sluice.durabletask.history.DtFields;
import io.sluice.durabletask.history.ExecutionFacts;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.state.InstanceState;
import io.sluice.durabletask.wire.Failures;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.CompleteOrchestrationAction;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.DispatchOptions;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How a turn ends: with the execution going on, ended, or followed by another one. */
final class TurnEnding {
    private final OpenTurn turn;
    private final ExecutionFacts facts;
    private final ExecutionStartedEvent started;
    private final TurnDelta delta;
    private final Supplier<String> guids;
    private final ExecutionFacts before;
    private ExecutionMetadata metadata;
    private InstanceState state;

    /**
     * For one turn.
     *
     * @param before facts of the execution before the turn
     * @param facts of the execution, with what the turn has brought
     * @param guids names the next execution
     */
    TurnEnding(OpenTurn turn, ExecutionFacts before, ExecutionFacts facts, TurnDelta delta, Supplier<String> guids) {
        this.turn = turn;
        this.before = before;
        this.facts = facts;
        this.started = Objects.requireNonNullElse(facts.started(), ExecutionStartedEvent.getDefaultInstance());
        this.delta = delta;
        this.guids = guids;
        this.metadata = turn.intake().isFirstTurn() ? firstMetadata() : ExecutionMetadata.NONE;
        this.state = InstanceState.begun(
                started, facts.parent() == null ? null : facts.parent().instance(), statusOf(facts));
    }

    private static OrchestrationStatus statusOf(ExecutionFacts facts) {
        return facts.isSuspended()
                ? OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED
                : OrchestrationStatus.ORCHESTRATION_STATUS_RUNNING;
    }

    /** The host pins executions to its format, and names no parent: a purge may leave children. */
    private ExecutionMetadata firstMetadata() {
        return ExecutionMetadata.NONE
                .withOrchestration(started.getName(), started.getVersion().getValue())
                .withPinnedVersion(DtFields.FORMAT);
    }

    /**
     * Ends the execution as the worker says.
     *
     * @param openChildren that have not ended
     */
    void complete(OrchestratorAction asked, Supplier<List<String>> openChildren) {
        OrchestratorAction action = readable(asked);
        CompleteOrchestrationAction complete = action.getCompleteOrchestration();
        OrchestrationStatus status = complete.getOrchestrationStatus();
        switch (status) {
            case ORCHESTRATION_STATUS_COMPLETED, ORCHESTRATION_STATUS_FAILED -> finish(action, List.of());
            case ORCHESTRATION_STATUS_TERMINATED, ORCHESTRATION_STATUS_CANCELED ->
                finish(action, facts.isTerminatedWithChildren() ? openChildren.get() : List.of());
            case ORCHESTRATION_STATUS_CONTINUED_AS_NEW -> continueUnlessTerminated(action, openChildren);
            case ORCHESTRATION_STATUS_RUNNING,
                    ORCHESTRATION_STATUS_PENDING,
                    ORCHESTRATION_STATUS_SUSPENDED,
                    UNRECOGNIZED ->
                throw RefusedResponseException.invalid("action " + action.getId()
                        + ": completeOrchestration.orchestrationStatus must be COMPLETED, FAILED, TERMINATED, CANCELED"
                        + " or CONTINUED_AS_NEW, was " + status);
        }
    }

    private static OrchestratorAction readable(OrchestratorAction asked) {
        if (!asked.getCompleteOrchestration().hasFailureDetails()) {
            return asked;
        }
        OrchestratorAction.Builder action = asked.toBuilder();
        CompleteOrchestrationAction.Builder complete = action.getCompleteOrchestrationBuilder();
        complete.setFailureDetails(Failures.readable(complete.getFailureDetails()));
        return action.build();
    }

    private void finish(OrchestratorAction asked, List<String> children) {
        Completion completion = new Completion.Maker(turn, facts, head(), delta).of(asked, children);
        long event = delta.add(completion.action(), completion.event());
        completion.messages().forEach(delta::sendFitting);
        boolean completed = completion.status() == OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED;
        metadata = metadata.withStatus(completed ? "Completed" : "Failed", completion.output());
        state = state.ended(completion.status(), delta.now(), completion.failure());
        if (completion.isOutputInEventAlone()) {
            state = state.withOutputIn(event);
        }
    }

    private TurnLimits.Head head() {
        return new TurnLimits.Head(
                started.getName(), started.getVersion().getValue(), facts.customStatus(), metadata.output());
    }

    /**
     * A termination that comes in the turn in which the code goes on with another execution is read by no SDK: the code
     * has ended before it. The next execution would know nothing of it, and an eternal one would never end.
     */
    private void continueUnlessTerminated(OrchestratorAction action, Supplier<List<String>> openChildren) {
        ExecutionFacts.Termination termination = facts.termination();
        if (termination == null) {
            continueAsNew(action);
            return;
        }
        OrchestratorAction.Builder ending = OrchestratorAction.newBuilder().setId(action.getId());
        CompleteOrchestrationAction.Builder complete = ending.getCompleteOrchestrationBuilder()
                .setOrchestrationStatus(OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED);
        if (termination.output() != null) {
            complete.setResult(Wire.text(termination.output()));
        }
        finish(ending.build(), termination.withChildren() ? openChildren.get() : List.of());
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
        TurnLimits.nameFault(complete.getNewVersion().getValue()).ifPresent(fault -> {
            throw RefusedResponseException.invalid(
                    "action " + action.getId() + ": completeOrchestration.newVersion: " + fault);
        });
        delta.add(action, Completion.event(delta, action));
        metadata = metadata.withStatus("ContinuedAsNew", storedInput(complete));
        WorkItem next = MessageEncoder.continueAsNew(
                turn.instance(), nextStart(complete), facts.parent(), carriedOver(complete), facts.customStatus());
        delta.send(action, next);
    }

    /** With a suspension that came in this turn, behind what the code went on by: the next execution is held by it. */
    private List<Protocol.HistoryEvent> carriedOver(CompleteOrchestrationAction complete) {
        Protocol.HistoryEvent suspension = facts.suspension();
        if (suspension == null) {
            return complete.getCarryoverEventsList();
        }
        return Stream.concat(complete.getCarryoverEventsList().stream(), Stream.of(suspension))
                .toList();
    }

    /** The start of the next execution: of the same parent, under a GUID of its own. */
    private Protocol.HistoryEvent nextStart(CompleteOrchestrationAction complete) {
        Protocol.HistoryEvent.Builder event = delta.outsideEvent();
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

    /** The next input, if it has room with the instance: nobody reads it there, the next execution begins with it. */
    private @Nullable String storedInput(CompleteOrchestrationAction complete) {
        String input = Completion.result(complete);
        return TurnLimits.commitFault(head().withOutput(input), delta.firstEvent())
                        .isEmpty()
                ? input
                : null;
    }

    /**
     * All that the turn commits.
     *
     * @throws RefusedResponseException when there is no room for the instance and the first event in one request
     */
    TurnOutcome outcome() {
        TurnLimits.commitFault(head(), delta.firstEvent()).ifPresent(fault -> {
            throw RefusedResponseException.tooLarge("the turn: " + fault);
        });
        return new TurnOutcome(
                turn.intake().executionId(),
                delta.events(),
                delta.activities(),
                delta.messages(),
                isStateNew() ? metadata.withExt(state.toExt()) : metadata,
                state,
                dispatch());
    }

    /** What is kept along with the instance stays as it is until it is given again. */
    private boolean isStateNew() {
        return turn.intake().isFirstTurn() || state.status() != statusOf(before);
    }

    private DispatchOptions dispatch() {
        Protocol.TraceContext trace = started.getParentTraceContext();
        return Wire.trace(trace).map(DispatchOptions.NONE::withTrace).orElse(DispatchOptions.NONE);
    }
}
