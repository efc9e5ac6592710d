package io.sluice.durabletask.client;

import com.google.protobuf.StringValue;
import io.sluice.durabletask.history.EventDecoder;
import io.sluice.durabletask.history.ReplayedIds;
import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.turn.TurnLimits;
import io.sluice.durabletask.wire.Protocol.ExecutionCompletedEvent;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.GetInstanceResponse;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.OrchestrationState;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.history.EventKind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Instances as clients see them. Thread-safe. */
public final class States {
    /** What an orchestration does not go on from by itself. */
    static final Set<OrchestrationStatus> ENDED = Arrays.stream(OrchestrationStatus.values())
            .filter(OrchestrationStates::isEnd)
            .collect(Collectors.toUnmodifiableSet());

    private final ClientContext context;

    /** Of one task hub. */
    public States(ClientContext context) {
        this.context = context;
    }

    /** One instance, as it is now. */
    public GetInstanceResponse get(String instance, boolean withPayloads) {
        return response(read(instance), withPayloads);
    }

    /** The instance; nothing for an unknown one, and for an id that none can have. */
    Optional<InstanceSummary> read(String instance) {
        return TurnLimits.instanceIdFault(instance).isPresent()
                ? Optional.empty()
                : context.queries().get(instance);
    }

    /** The instance, or NOT_FOUND. */
    InstanceSummary require(String instance) {
        return read(Requests.instanceId(instance)).orElseThrow(() -> Requests.notFound(instance));
    }

    GetInstanceResponse response(Optional<InstanceSummary> instance, boolean withPayloads) {
        GetInstanceResponse.Builder response = GetInstanceResponse.newBuilder().setExists(instance.isPresent());
        instance.ifPresent(summary -> response.setOrchestrationState(state(summary, withPayloads)));
        return response.build();
    }

    /** The state, with input and output when they are wanted. */
    OrchestrationState state(InstanceSummary summary, boolean withPayloads) {
        if (!withPayloads) {
            return OrchestrationStates.withoutPayloads(summary);
        }
        List<io.sluice.provider.history.HistoryEvent> history = history(summary);
        String input = started(history)
                .filter(ExecutionStartedEvent::hasInput)
                .map(started -> started.getInput().getValue())
                .orElse(null);
        OrchestrationState state = OrchestrationStates.withPayloads(summary, input);
        return state.hasOutput() || !isEndedWell(state)
                ? state
                : output(history)
                        .map(output -> state.toBuilder().setOutput(output).build())
                        .orElse(state);
    }

    private static boolean isEndedWell(OrchestrationState state) {
        return OrchestrationStates.isEnd(state.getOrchestrationStatus())
                && state.getOrchestrationStatus() != OrchestrationStatus.ORCHESTRATION_STATUS_FAILED;
    }

    /** How the current execution began; nothing before its first turn. */
    Optional<ExecutionStartedEvent> started(InstanceSummary summary) {
        return started(history(summary));
    }

    private List<io.sluice.provider.history.HistoryEvent> history(InstanceSummary summary) {
        return context.provider().readWithExecution(summary.instanceId(), summary.executionId());
    }

    private static Optional<ExecutionStartedEvent> started(List<io.sluice.provider.history.HistoryEvent> history) {
        return history.stream()
                .limit(1)
                .flatMap(first -> decoded(first).stream())
                .filter(HistoryEvent::hasExecutionStarted)
                .map(HistoryEvent::getExecutionStarted)
                .findFirst();
    }

    /** An output that had no room with its instance. */
    private static Optional<StringValue> output(List<io.sluice.provider.history.HistoryEvent> history) {
        return history.stream()
                .filter(event -> event.kind() instanceof EventKind.OrchestrationCompleted
                        || event.kind() instanceof EventKind.OrchestrationFailed)
                .flatMap(end -> decoded(end).stream())
                .filter(HistoryEvent::hasExecutionCompleted)
                .map(HistoryEvent::getExecutionCompleted)
                .filter(ExecutionCompletedEvent::hasResult)
                .map(ExecutionCompletedEvent::getResult)
                .findFirst();
    }

    private static Optional<HistoryEvent> decoded(io.sluice.provider.history.HistoryEvent event) {
        return EventDecoder.decode(event, ReplayedIds.of(List.of()));
    }
}
