package io.sluice.durabletask.turn;

import io.sluice.durabletask.state.InstanceState;
import io.sluice.provider.DispatchOptions;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.List;

/**
 * All that a turn commits, at once.
 *
 * @param executionId the execution that the events belong to
 * @param workerItems activities
 * @param orchestratorItems messages to instances, this one included, in order
 * @param metadata with the state, where it is another one than before the turn
 * @param state for clients of DurableTask
 */
public record TurnOutcome(
        long executionId,
        List<HistoryEvent> historyDelta,
        List<WorkItem> workerItems,
        List<WorkItem> orchestratorItems,
        ExecutionMetadata metadata,
        InstanceState state,
        DispatchOptions dispatch) {
    public TurnOutcome {
        historyDelta = List.copyOf(historyDelta);
        workerItems = List.copyOf(workerItems);
        orchestratorItems = List.copyOf(orchestratorItems);
    }

    /** The ack. */
    public TurnAck toAck(String lockToken) {
        return new TurnAck(
                lockToken, executionId, historyDelta, workerItems, orchestratorItems, metadata, List.of(), dispatch);
    }
}
