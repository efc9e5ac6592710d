package io.sluice.durabletask.turn;

import com.google.protobuf.Int32Value;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Wire;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What workers answer, and the messages that tests send. */
public final class Answers {
    private Answers() {}

    public static OrchestratorResponse answer(OrchestratorAction... actions) {
        return OrchestratorResponse.newBuilder().addAllActions(List.of(actions)).build();
    }

    public static OrchestratorResponse withStatus(OrchestratorResponse answer, String customStatus) {
        return answer.toBuilder().setCustomStatus(Wire.text(customStatus)).build();
    }

    public static OrchestratorResponse having(OrchestratorResponse answer, int eventsProcessed) {
        return answer.toBuilder()
                .setNumEventsProcessed(Int32Value.of(eventsProcessed))
                .build();
    }

    public static OrchestratorAction task(int id, String name, String input) {
        var action = OrchestratorAction.newBuilder().setId(id);
        action.getScheduleTaskBuilder().setName(name).setInput(Wire.text(input));
        return action.build();
    }

    public static OrchestratorAction timer(int id, String fireAt) {
        var action = OrchestratorAction.newBuilder().setId(id);
        action.getCreateTimerBuilder().setFireAt(Wire.timestamp(Instant.parse(fireAt)));
        return action.build();
    }

    public static OrchestratorAction child(int id, String instance, String name) {
        var action = OrchestratorAction.newBuilder().setId(id);
        action.getCreateSubOrchestrationBuilder().setInstanceId(instance).setName(name);
        return action.build();
    }

    public static OrchestratorAction send(int id, String instance, String name, String data) {
        var action = OrchestratorAction.newBuilder().setId(id);
        action.getSendEventBuilder()
                .setName(name)
                .setData(Wire.text(data))
                .getInstanceBuilder()
                .setInstanceId(instance);
        return action.build();
    }

    public static OrchestratorAction terminate(int id, String instance, String reason, boolean recurse) {
        var action = OrchestratorAction.newBuilder().setId(id);
        action.getTerminateOrchestrationBuilder()
                .setInstanceId(instance)
                .setReason(Wire.text(reason))
                .setRecurse(recurse);
        return action.build();
    }

    public static OrchestratorAction complete(int id, OrchestrationStatus status, @Nullable String result) {
        var action = OrchestratorAction.newBuilder().setId(id);
        action.getCompleteOrchestrationBuilder().setOrchestrationStatus(status);
        if (result != null) {
            action.getCompleteOrchestrationBuilder().setResult(Wire.text(result));
        }
        return action.build();
    }

    public static OrchestratorAction completed(int id, @Nullable String result) {
        return complete(id, OrchestrationStatus.ORCHESTRATION_STATUS_COMPLETED, result);
    }

    public static OrchestratorAction terminated(int id, String result) {
        return complete(id, OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED, result);
    }

    public static OrchestratorAction failed(int id, String type, String message) {
        var action = complete(id, OrchestrationStatus.ORCHESTRATION_STATUS_FAILED, null).toBuilder();
        action.getCompleteOrchestrationBuilder()
                .getFailureDetailsBuilder()
                .setErrorType(type)
                .setErrorMessage(message)
                .setIsNonRetriable(true);
        return action.build();
    }

    public static OrchestratorAction continued(int id, String input, Protocol.HistoryEvent... carryover) {
        var action = complete(id, OrchestrationStatus.ORCHESTRATION_STATUS_CONTINUED_AS_NEW, input).toBuilder();
        action.getCompleteOrchestrationBuilder().addAllCarryoverEvents(List.of(carryover));
        return action.build();
    }

    public static Protocol.HistoryEvent raised(String name, String data) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.getEventRaisedBuilder().setName(name).setInput(Wire.text(data));
        return event.build();
    }

    public static Protocol.HistoryEvent terminating(String output, boolean recurse) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.getExecutionTerminatedBuilder().setInput(Wire.text(output)).setRecurse(recurse);
        return event.build();
    }

    public static Protocol.HistoryEvent suspending() {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.getExecutionSuspendedBuilder().setInput(Wire.text("lunch"));
        return event.build();
    }

    public static Protocol.HistoryEvent resuming() {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.getExecutionResumedBuilder();
        return event.build();
    }

    public static Protocol.HistoryEvent taskCompleted(int action, String result) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.getTaskCompletedBuilder().setTaskScheduledId(action).setResult(Wire.text(result));
        return event.build();
    }

    public static Protocol.HistoryEvent starting(String name, @Nullable String input) {
        var event = Protocol.HistoryEvent.newBuilder().setEventId(-1);
        event.getExecutionStartedBuilder().setName(name).putTags("tenant", "a");
        if (input != null) {
            event.getExecutionStartedBuilder().setInput(Wire.text(input));
        }
        return event.build();
    }
}
