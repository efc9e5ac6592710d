package io.sluice.durabletask.replay;

import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent.EventTypeCase;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Wire;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the events of an execution say in a turn, and the actions that follow. */
public record Execution(List<HistoryEvent> events) {
    public static Execution of(OrchestratorRequest turn) {
        return new Execution(Stream.concat(turn.getPastEventsList().stream(), turn.getNewEventsList().stream())
                .toList());
    }

    private Stream<HistoryEvent> all(EventTypeCase type) {
        return events.stream().filter(event -> event.getEventTypeCase() == type);
    }

    public int count(EventTypeCase type) {
        return (int) all(type).count();
    }

    public Protocol.ExecutionStartedEvent started() {
        return all(EventTypeCase.EXECUTIONSTARTED).findFirst().orElseThrow().getExecutionStarted();
    }

    /** Empty when there is none. */
    public Optional<String> input() {
        return started().hasInput() ? Optional.of(started().getInput().getValue()) : Optional.empty();
    }

    /** What activities returned, in the order in which they were scheduled. */
    public List<String> results() {
        return all(EventTypeCase.TASKCOMPLETED)
                .map(HistoryEvent::getTaskCompleted)
                .sorted(Comparator.comparingInt(Protocol.TaskCompletedEvent::getTaskScheduledId))
                .map(completed -> completed.getResult().getValue())
                .toList();
    }

    /** What children returned, in the order in which they were started. */
    public List<String> childResults() {
        return all(EventTypeCase.SUBORCHESTRATIONINSTANCECOMPLETED)
                .map(HistoryEvent::getSubOrchestrationInstanceCompleted)
                .sorted(Comparator.comparingInt(Protocol.SubOrchestrationInstanceCompletedEvent::getTaskScheduledId))
                .map(completed -> completed.getResult().getValue())
                .toList();
    }

    /** What was raised first under a name. */
    public Optional<Protocol.EventRaisedEvent> raised(String name) {
        return all(EventTypeCase.EVENTRAISED)
                .map(HistoryEvent::getEventRaised)
                .filter(event -> event.getName().equals(name))
                .findFirst();
    }

    public Optional<Protocol.ExecutionTerminatedEvent> terminated() {
        return all(EventTypeCase.EXECUTIONTERMINATED).findFirst().map(HistoryEvent::getExecutionTerminated);
    }

    public boolean isSuspended() {
        return count(EventTypeCase.EXECUTIONSUSPENDED) > count(EventTypeCase.EXECUTIONRESUMED);
    }

    /** An activity whose input is its own id. */
    public static OrchestratorAction task(int id, String name) {
        return task(id, name, "\"" + id + "\"");
    }

    /** An activity. */
    public static OrchestratorAction task(int id, String name, String input) {
        OrchestratorAction.Builder action = OrchestratorAction.newBuilder().setId(id);
        action.getScheduleTaskBuilder().setName(name).setInput(Wire.text(input));
        return action.build();
    }

    public static OrchestratorAction timer(int id, Instant fireAt) {
        OrchestratorAction.Builder action = OrchestratorAction.newBuilder().setId(id);
        action.getCreateTimerBuilder().setFireAt(Wire.timestamp(fireAt));
        return action.build();
    }

    /** A sub-orchestration without an input. */
    public static OrchestratorAction child(int id, String instance, String name) {
        OrchestratorAction.Builder action = OrchestratorAction.newBuilder().setId(id);
        action.getCreateSubOrchestrationBuilder().setInstanceId(instance).setName(name);
        return action.build();
    }

    /** A sub-orchestration. */
    public static OrchestratorAction child(int id, String instance, String name, String input) {
        OrchestratorAction.Builder action = child(id, instance, name).toBuilder();
        action.getCreateSubOrchestrationBuilder().setInput(Wire.text(input));
        return action.build();
    }

    public static OrchestratorAction completed(String result) {
        return ended(OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED, result);
    }

    public static OrchestratorAction continuedAsNew(String input) {
        return ended(OrchestrationStatus.ORCHESTRATION_STATUS_CONTINUED_AS_NEW, input);
    }

    /** As SDKs end a terminated execution: with what the termination brought. */
    public static OrchestratorAction terminated(Protocol.ExecutionTerminatedEvent event) {
        return ended(
                OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED,
                event.getInput().getValue());
    }

    public static OrchestratorAction failed(String message) {
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
