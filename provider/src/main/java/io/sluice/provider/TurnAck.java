package io.sluice.provider;

import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import java.util.Objects;

/**
 * Everything a turn commits.
 *
 * @param executionId the execution the events belong to; above the stored one it starts a new execution
 * @param historyDelta events to append; may be empty
 * @param workerItems activities to schedule
 * @param orchestratorItems messages to instances, this one included, in FIFO order
 * @param cancelledActivities activities that must not run any more; missing ones are ignored
 * @param dispatch what goes along with the items for other instances
 */
public record TurnAck(
        String lockToken,
        long executionId,
        List<HistoryEvent> historyDelta,
        List<WorkItem> workerItems,
        List<WorkItem> orchestratorItems,
        ExecutionMetadata metadata,
        List<ScheduledActivityIdentifier> cancelledActivities,
        DispatchOptions dispatch) {
    public TurnAck {
        Objects.requireNonNull(lockToken, "lockToken");
        Objects.requireNonNull(metadata, "metadata");
        if (executionId < 0) {
            throw new IllegalArgumentException("executionId must not be negative, was " + executionId);
        }
        historyDelta = List.copyOf(historyDelta);
        workerItems = List.copyOf(workerItems);
        orchestratorItems = List.copyOf(orchestratorItems);
        cancelledActivities = List.copyOf(cancelledActivities);
        Objects.requireNonNull(dispatch, "dispatch");
    }

    /** An ack that says nothing on dispatch. */
    public TurnAck(
            String lockToken,
            long executionId,
            List<HistoryEvent> historyDelta,
            List<WorkItem> workerItems,
            List<WorkItem> orchestratorItems,
            ExecutionMetadata metadata,
            List<ScheduledActivityIdentifier> cancelledActivities) {
        this(
                lockToken,
                executionId,
                historyDelta,
                workerItems,
                orchestratorItems,
                metadata,
                cancelledActivities,
                DispatchOptions.NONE);
    }

    /** An ack that only consumes the turn's messages. */
    public static TurnAck of(String lockToken, long executionId) {
        return new TurnAck(lockToken, executionId, List.of(), List.of(), List.of(), ExecutionMetadata.NONE, List.of());
    }

    /** The same ack with these events. */
    public TurnAck withHistory(List<HistoryEvent> events) {
        return new TurnAck(
                lockToken,
                executionId,
                events,
                workerItems,
                orchestratorItems,
                metadata,
                cancelledActivities,
                dispatch);
    }

    /** The same ack with these activities. */
    public TurnAck withWorkerItems(List<WorkItem> items) {
        return new TurnAck(
                lockToken,
                executionId,
                historyDelta,
                items,
                orchestratorItems,
                metadata,
                cancelledActivities,
                dispatch);
    }

    /** The same ack with these messages. */
    public TurnAck withOrchestratorItems(List<WorkItem> items) {
        return new TurnAck(
                lockToken, executionId, historyDelta, workerItems, items, metadata, cancelledActivities, dispatch);
    }

    /** The same ack with this metadata. */
    public TurnAck withMetadata(ExecutionMetadata newMetadata) {
        return new TurnAck(
                lockToken,
                executionId,
                historyDelta,
                workerItems,
                orchestratorItems,
                newMetadata,
                cancelledActivities,
                dispatch);
    }

    /** The same ack, cancelling these activities. */
    public TurnAck withCancelledActivities(List<ScheduledActivityIdentifier> activities) {
        return new TurnAck(
                lockToken, executionId, historyDelta, workerItems, orchestratorItems, metadata, activities, dispatch);
    }

    /** The same ack; this goes along with what it sends to other instances. */
    public TurnAck withDispatch(DispatchOptions options) {
        return new TurnAck(
                lockToken,
                executionId,
                historyDelta,
                workerItems,
                orchestratorItems,
                metadata,
                cancelledActivities,
                options);
    }
}
