package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.history.EventDecoder;
import io.sluice.durabletask.turn.OpenTurn;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.OrchestratorRequest;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import java.util.Optional;

/** Turns as workers get them. */
final class TurnItems {
    private TurnItems() {}

    /**
     * The work item of a turn; without its history when that makes it too large, and the worker can fetch it apart.
     *
     * @return nothing when the worker could not receive it
     */
    static Optional<WorkItem> of(
            String token, OpenTurn turn, ExecutionStartedEvent started, int maxBytes, boolean streamsHistory) {
        OrchestratorRequest.Builder request = OrchestratorRequest.newBuilder()
                .setInstanceId(turn.instance())
                .setExecutionId(started.getOrchestrationInstance().getExecutionId())
                .addAllPastEvents(EventDecoder.pastEvents(turn.intake().history()))
                .addAllNewEvents(turn.newEvents());
        WorkItem whole = item(token, request);
        if (whole.getSerializedSize() <= maxBytes) {
            return Optional.of(whole);
        }
        return streamsHistory
                ? Optional.of(item(token, request.clearPastEvents().setRequiresHistoryStreaming(true)))
                        .filter(streamed -> streamed.getSerializedSize() <= maxBytes)
                : Optional.empty();
    }

    private static WorkItem item(String token, OrchestratorRequest.Builder request) {
        return WorkItem.newBuilder()
                .setCompletionToken(token)
                .setOrchestratorRequest(request)
                .build();
    }
}
