package io.sluice.durabletask.kafka;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Wire;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the events of an execution say in a turn, and the actions that follow. */
record Execution(List<HistoryEvent> events) {
    static Execution of(OrchestratorRequest turn) {
        return new Execution(Stream.concat(turn.getPastEventsList().stream(), turn.getNewEventsList().stream())
                .toList());
    }

    private Stream<HistoryEvent> all(EventTypeCase type) {
        return events.stream().filter(event -> event.getEventTypeCase() == type);
    }

    int count(EventTypeCase type) {
        return (int) all(type).count();
    }

    Protocol.ExecutionStartedEvent started() {
        return all(EventTypeCase.EXECUTIONSTARTED).findFirst().orElseThrow().getExecutionStarted();
    }

    /** Empty when there is none. */
    Optional<String> input() {
        return started().hasInput() ? Optional.of(started().getInput().getValue()) : Optional.empty();
    }

    /** What was raised first under a name. */
    Optional<Protocol.EventRaisedEvent> raised(String name) {
        return all(EventTypeCase.EVENTRAISED)
                .map(HistoryEvent::getEventRaised)
                .filter(event -> event.getName().equals(name))
                .findFirst();
    }

    Optional<Protocol.ExecutionTerminatedEvent> terminated() {
        return all(EventTypeCase.EXECUTIONTERMINATED).findFirst().map(HistoryEvent::getExecutionTerminated);
    }

    boolean isSuspended() {
        return count(EventTypeCase.EXECUTIONSUSPENDED) > count(EventTypeCase.EXECUTIONRESUMED);
    }

    static OrchestratorAction task(int id, String name) {
        OrchestratorAction.Builder action = OrchestratorAction.newBuilder().setId(id);
        action.getScheduleTaskBuilder().setName(name).setInput(Wire.text("\"" + id + "\""));
        return action.build();
    }

    static OrchestratorAction timer(int id, Instant fireAt) {
        OrchestratorAction.Builder action = OrchestratorAction.newBuilder().setId(id);
        action.getCreateTimerBuilder().setFireAt(Wire.timestamp(fireAt));
        return action.build();
    }

    static OrchestratorAction child(int id, String instance, String name) {
        OrchestratorAction.Builder action = OrchestratorAction.newBuilder().setId(id);
        action.getCreateSubOrchestrationBuilder().setInstanceId(instance).setName(name);
        return action.build();
    }

    static OrchestratorAction completed(String result) {
        return ended(OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED, result);
    }

    static OrchestratorAction continuedAsNew(String input) {
        return ended(OrchestrationStatus.ORCHESTRATION_STATUS_CONTINUED_AS_NEW, input);
    }

    /** As SDKs end a terminated execution: with what the termination brought. */
    static OrchestratorAction terminated(Protocol.ExecutionTerminatedEvent event) {
        return ended(
                OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED,
                event.getInput().getValue());
    }

    static OrchestratorAction failed(String message) {
        OrchestratorAction.Builder action = ended(OrchestrationStatus.ORCHESTRATION_STATUS_FAILED, "").toBuilder();
        action.getCompleteOrchestrationBuilder()
                .clearResult()
                .getFailureDetailsBuilder()
                .setErrorType("OrderError")
                .setErrorMessage(message);
        return action.build();
    }

    private static OrchestratorAction ended(OrchestrationStatus status, String result) {
        OrchestratorAction.Builder action = OrchestratorAction.newBuilder().setId(1_000);
        action.getCompleteOrchestrationBuilder().setOrchestrationStatus(status).setResult(Wire.text(result));
        return action.build();
    }
}
