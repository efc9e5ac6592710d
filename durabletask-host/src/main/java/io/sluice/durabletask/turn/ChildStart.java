package io.sluice.durabletask.turn;

import io.sluice.durabletask.history.EventPlace;
import io.sluice.durabletask.history.ExecutionFacts;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.history.ParentLink;
import io.sluice.durabletask.wire.Failures;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.CreateSubOrchestrationAction;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.TaskFailureDetails;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.work.WorkItem;
import java.util.Optional;
import java.util.function.Supplier;

/** Starts sub-orchestrations. */
final class ChildStart {
    private final OpenTurn turn;
    private final ExecutionFacts facts;
    private final TurnDelta delta;
    private final Supplier<String> guids;

    /**
     * For one turn.
     *
     * @param facts of the parent
     * @param guids names the children's executions
     */
    ChildStart(OpenTurn turn, ExecutionFacts facts, TurnDelta delta, Supplier<String> guids) {
        this.turn = turn;
        this.facts = facts;
        this.delta = delta;
        this.guids = guids;
    }

    /**
     * Records the child and sends its start. A child that no instance can be made of fails at once, for the parent to
     * see: a refused turn would be worked on again without end. It is recorded without its input if that has no room.
     */
    void start(OrchestratorAction action) {
        CreateSubOrchestrationAction create = action.getCreateSubOrchestration();
        String child = create.getInstanceId().isEmpty()
                ? "%s:%04x".formatted(turn.instance(), action.getId())
                : create.getInstanceId();
        EventPlace place = delta.next();
        ParentLink link = new ParentLink(place.instance(), place.executionId(), place.eventId());
        Protocol.HistoryEvent created = created(action, child);
        Optional<TaskFailureDetails> fault = idFault(child);
        if (fault.isEmpty()) {
            WorkItem start = MessageEncoder.start(child, started(action, child), link);
            fault = sizeFault(action, created, start);
            if (fault.isEmpty()) {
                delta.add(action, created);
                delta.sendFitting(start);
                return;
            }
        }
        delta.add(action, recorded(created));
        delta.send(MessageEncoder.childEnded(link, facts.executionGuid(), failed(action.getId(), fault.get())));
    }

    private static Optional<TaskFailureDetails> idFault(String child) {
        return TurnLimits.instanceIdFault(child)
                .map(fault -> TaskFailureDetails.newBuilder()
                        .setErrorType("InvalidInstanceId")
                        .setErrorMessage(fault)
                        .setIsNonRetriable(true)
                        .build());
    }

    private Optional<TaskFailureDetails> sizeFault(
            OrchestratorAction action, Protocol.HistoryEvent created, WorkItem start) {
        CreateSubOrchestrationAction create = action.getCreateSubOrchestration();
        Optional<String> nameFault = TurnLimits.nameFault(create.getName())
                .or(() -> TurnLimits.nameFault(create.getVersion().getValue()))
                .map(fault -> "action " + action.getId() + ": " + fault);
        if (nameFault.isPresent() || TurnLimits.isSurelySmall(action)) {
            return nameFault.map(Failures::tooLarge);
        }
        return delta.fault(start)
                .or(() -> TurnLimits.eventFault(delta.preview(created)))
                .map(fault -> Failures.tooLarge(TurnLimits.named(action, fault)));
    }

    private Protocol.HistoryEvent recorded(Protocol.HistoryEvent created) {
        if (TurnLimits.eventFault(delta.preview(created)).isEmpty()) {
            return created;
        }
        Protocol.HistoryEvent.Builder smaller = created.toBuilder();
        smaller.getSubOrchestrationInstanceCreatedBuilder().clearInput();
        return smaller.build();
    }

    private Protocol.HistoryEvent created(OrchestratorAction action, String child) {
        CreateSubOrchestrationAction create = action.getCreateSubOrchestration();
        Protocol.HistoryEvent.Builder event = delta.event(action.getId());
        var created = event.getSubOrchestrationInstanceCreatedBuilder()
                .setInstanceId(child)
                .setName(create.getName())
                .putAllTags(create.getTagsMap());
        if (create.hasVersion()) {
            created.setVersion(create.getVersion());
        }
        if (create.hasInput()) {
            created.setInput(create.getInput());
        }
        if (create.hasParentTraceContext()) {
            created.setParentTraceContext(create.getParentTraceContext());
        }
        return event.build();
    }

    private Protocol.HistoryEvent started(OrchestratorAction action, String child) {
        CreateSubOrchestrationAction create = action.getCreateSubOrchestration();
        Protocol.HistoryEvent.Builder event = delta.outsideEvent();
        ExecutionStartedEvent.Builder started = event.getExecutionStartedBuilder()
                .setName(create.getName())
                .setParentInstance(self(action.getId()))
                .putAllTags(create.getTagsMap());
        started.getOrchestrationInstanceBuilder().setInstanceId(child).setExecutionId(Wire.text(guids.get()));
        if (create.hasVersion()) {
            started.setVersion(create.getVersion());
        }
        if (create.hasInput()) {
            started.setInput(create.getInput());
        }
        if (create.hasParentTraceContext()) {
            started.setParentTraceContext(create.getParentTraceContext());
        }
        return event.build();
    }

    private Protocol.ParentInstanceInfo self(int actionId) {
        Protocol.ParentInstanceInfo.Builder self =
                Protocol.ParentInstanceInfo.newBuilder().setTaskScheduledId(actionId);
        self.getOrchestrationInstanceBuilder()
                .setInstanceId(turn.instance())
                .setExecutionId(Wire.text(facts.executionGuid()));
        if (facts.started() != null) {
            self.setName(Wire.text(facts.started().getName()));
            if (facts.started().hasVersion()) {
                self.setVersion(facts.started().getVersion());
            }
        }
        return self.build();
    }

    private Protocol.HistoryEvent failed(int actionId, TaskFailureDetails failure) {
        Protocol.HistoryEvent.Builder event = delta.outsideEvent();
        event.getSubOrchestrationInstanceFailedBuilder()
                .setTaskScheduledId(actionId)
                .setFailureDetails(failure);
        return event.build();
    }
}
