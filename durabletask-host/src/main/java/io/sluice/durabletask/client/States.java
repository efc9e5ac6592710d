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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Instances as clients see them. Thread-safe. */
public final class States {
    /** What an orchestration does not go on from by itself. */
    static final Set<OrchestrationStatus> ENDED = Arrays.stream(OrchestrationStatus.values())
            .filter(OrchestrationStates::isEnd)
            .collect(Collectors.toUnmodifiableSet());

    private static final Long FIRST_EVENT = 1L;

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
        Set<Long> wanted = new TreeSet<>();
        boolean hasInput = OrchestrationStates.hasInput(summary);
        if (hasInput) {
            wanted.add(FIRST_EVENT);
        }
        OptionalLong outputEvent = OrchestrationStates.outputEvent(summary);
        outputEvent.ifPresent(wanted::add);
        // However long the history is, no more of it is read.
        List<HistoryEvent> events = wanted.isEmpty() ? List.of() : events(summary, wanted);
        OrchestrationState.Builder state = OrchestrationStates.withPayloads(summary).toBuilder();
        Optional<ExecutionStartedEvent> started = hasInput ? started(summary, events) : Optional.empty();
        started.filter(ExecutionStartedEvent::hasInput).ifPresent(event -> state.setInput(event.getInput()));
        output(events).ifPresent(state::setOutput);
        return state.build();
    }

    /** How the current execution began, or will begin; nothing for an instance of another runtime without a history. */
    Optional<ExecutionStartedEvent> started(InstanceSummary summary) {
        return started(summary, events(summary, Set.of(FIRST_EVENT)));
    }

    /** Before the first turn the start lies in the queue. */
    private Optional<ExecutionStartedEvent> started(InstanceSummary summary, List<HistoryEvent> events) {
        Optional<ExecutionStartedEvent> started = events.stream()
                .filter(HistoryEvent::hasExecutionStarted)
                .map(HistoryEvent::getExecutionStarted)
                .findFirst();
        return started.isPresent()
                ? started
                : context.queries().waitingStart(summary.instanceId()).flatMap(EventDecoder::started);
    }

    /** An output that had no room with its instance. */
    private static Optional<StringValue> output(List<HistoryEvent> events) {
        return events.stream()
                .filter(HistoryEvent::hasExecutionCompleted)
                .map(HistoryEvent::getExecutionCompleted)
                .filter(ExecutionCompletedEvent::hasResult)
                .map(ExecutionCompletedEvent::getResult)
                .findFirst();
    }

    private List<HistoryEvent> events(InstanceSummary summary, Set<Long> ids) {
        return context.queries().events(summary.instanceId(), summary.executionId(), ids).stream()
                .flatMap(event -> EventDecoder.decode(event, ReplayedIds.of(List.of())).stream())
                .toList();
    }
}
