package io.sluice.durabletask.turn;

import io.sluice.durabletask.history.EventPlace;
import io.sluice.durabletask.history.ExecutionFacts;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.history.ParentLink;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.CreateSubOrchestrationAction;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Wire;
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
     * Records the child and sends its start. A child under an id that the store refuses fails at once, for the parent
     * to see: a refused turn would be worked on again without end.
     */
    void start(OrchestratorAction action) {
        CreateSubOrchestrationAction create = action.getCreateSubOrchestration();
        String child = create.getInstanceId().isEmpty()
                ? "%s:%04x".formatted(turn.instance(), action.getId())
                : create.getInstanceId();
        EventPlace place = delta.add(action, created(action, child));
        ParentLink link = new ParentLink(place.instance(), place.executionId(), place.eventId());
        Optional<String> fault = TurnLimits.instanceIdFault(child);
        delta.send(
                fault.isPresent()
                        ? MessageEncoder.childEnded(link, refused(action.getId(), fault.get()))
                        : MessageEncoder.start(child, started(action, child), link));
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
        Protocol.HistoryEvent.Builder event = delta.event(Ending.NO_ID);
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

    private Protocol.HistoryEvent refused(int actionId, String fault) {
        Protocol.HistoryEvent.Builder event = delta.event(Ending.NO_ID);
        event.getSubOrchestrationInstanceFailedBuilder()
                .setTaskScheduledId(actionId)
                .getFailureDetailsBuilder()
                .setErrorType("InvalidInstanceId")
                .setErrorMessage(fault)
                .setIsNonRetriable(true);
        return event.build();
    }
}
