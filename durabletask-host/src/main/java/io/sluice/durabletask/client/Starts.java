package io.sluice.durabletask.client;

import io.grpc.Status;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.state.InstanceState;
import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.wire.Protocol.CreateInstanceRequest;
import io.sluice.durabletask.wire.Protocol.CreateInstanceResponse;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.InstanceStart;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.InstanceSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Starts instances, one per id. Thread-safe. */
public final class Starts {
    /** How often an instance is replaced that others create at the same time. */
    private static final int TRIES = 3;

    private final ClientContext context;
    private final boolean replacesEnded;

    /**
     * Of one task hub.
     *
     * @param replacesEnded whether a start that names no statuses replaces an instance that has ended
     */
    public Starts(ClientContext context, boolean replacesEnded) {
        this.context = context;
        this.replacesEnded = replacesEnded;
    }

    /**
     * Starts an instance.
     *
     * @throws io.grpc.StatusRuntimeException ALREADY_EXISTS when it exists and the request does not say that it may be
     *     replaced
     */
    public CreateInstanceResponse start(CreateInstanceRequest request) {
        checkPolicy(request.getOrchestrationIdReusePolicy().getReplaceableStatusList());
        return startInPlaceOf(request, existing -> mayBeReplaced(existing, request));
    }

    /**
     * Starts an instance in place of one that satisfies the condition, whatever the request says of that. The condition
     * is judged again on what is there when it is removed.
     */
    CreateInstanceResponse startInPlaceOf(CreateInstanceRequest request, Predicate<InstanceSummary> replaceable) {
        String instance =
                request.getInstanceId().isEmpty() ? Wire.newGuid() : Requests.instanceId(request.getInstanceId());
        Requests.name("name", Requests.notEmpty("name", request.getName()));
        Requests.name("version", request.getVersion().getValue());
        Instant now = context.clock().instant();
        InstanceStart start = start(instance, request, now);
        for (int i = 0; i < TRIES; i++) {
            InstanceStarts.Outcome outcome = context.starts().startInstance(start);
            if (!(outcome instanceof InstanceStarts.AlreadyExists existing)) {
                return CreateInstanceResponse.newBuilder()
                        .setInstanceId(instance)
                        .build();
            }
            require(existing.instance(), replaceable);
            // Who gives up removes nothing: no start of its own would follow, and the other's would be gone.
            if (i + 1 < TRIES) {
                remove(existing.instance(), replaceable);
            }
        }
        throw Status.ABORTED
                .withDescription("instance '" + instance + "' was created by others each time that it was replaced")
                .asRuntimeException();
    }

    /** As Azure's scheduler has it: what replaces a running instance terminates it. */
    private static void checkPolicy(List<OrchestrationStatus> replaceable) {
        boolean replacesRunning = replaceable.stream().anyMatch(status -> !States.ENDED.contains(status));
        if (replacesRunning && !replaceable.contains(OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED)) {
            throw Requests.invalid("orchestrationIdReusePolicy.replaceableStatus: Invalid reusable statuses: cannot"
                    + " exclude 'Terminated' while also allowing reuse of running instances");
        }
    }

    private InstanceStart start(String instance, CreateInstanceRequest request, Instant now) {
        @Nullable Duration delay = delay(request, now);
        HistoryEvent event = event(instance, request, now, delay != null);
        return InstanceStart.of(Requests.fitting(MessageEncoder.start(instance, event, null)))
                .withExt(InstanceState.pending(event.getExecutionStarted()).toExt())
                .withDelay(delay)
                .withTrace(Wire.trace(request.getParentTraceContext()).orElse(null));
    }

    private static HistoryEvent event(String instance, CreateInstanceRequest request, Instant now, boolean isPutOff) {
        HistoryEvent.Builder event = Wire.outsideEvent(now);
        ExecutionStartedEvent.Builder started =
                event.getExecutionStartedBuilder().setName(request.getName()).putAllTags(request.getTagsMap());
        started.getOrchestrationInstanceBuilder()
                .setInstanceId(instance)
                .setExecutionId(Wire.text(
                        request.hasExecutionId()
                                        && !request.getExecutionId().getValue().isEmpty()
                                ? request.getExecutionId().getValue()
                                : Wire.newGuid()));
        if (request.hasVersion()) {
            started.setVersion(request.getVersion());
        }
        if (request.hasInput()) {
            started.setInput(request.getInput());
        }
        // An SDK that has no start time to send sends one of the past.
        if (isPutOff) {
            started.setScheduledStartTimestamp(request.getScheduledStartTimestamp());
        }
        if (request.hasParentTraceContext()) {
            started.setParentTraceContext(request.getParentTraceContext());
        }
        return event.build();
    }

    private static @Nullable Duration delay(CreateInstanceRequest request, Instant now) {
        if (!request.hasScheduledStartTimestamp()) {
            return null;
        }
        Instant due = Requests.time("scheduledStartTimestamp", request.getScheduledStartTimestamp());
        return due.isAfter(now) ? Duration.between(now, due) : null;
    }

    private boolean mayBeReplaced(InstanceSummary existing, CreateInstanceRequest request) {
        OrchestrationStatus status = OrchestrationStates.status(existing);
        List<OrchestrationStatus> replaceable =
                request.getOrchestrationIdReusePolicy().getReplaceableStatusList();
        return replaceable.isEmpty() ? replacesEnded && States.ENDED.contains(status) : replaceable.contains(status);
    }

    private static void require(InstanceSummary existing, Predicate<InstanceSummary> replaceable) {
        if (!replaceable.test(existing)) {
            throw Status.ALREADY_EXISTS
                    .withDescription("an orchestration instance '" + existing.instanceId() + "' exists already, it is "
                            + OrchestrationStates.status(existing).name().replace("ORCHESTRATION_STATUS_", ""))
                    .asRuntimeException();
        }
    }

    /** Removes what may be replaced. Where others were first, the next try finds theirs. */
    private void remove(InstanceSummary existing, Predicate<InstanceSummary> replaceable) {
        var unused = context.admin().deleteInstancesIf(List.of(existing.instanceId()), replaceable);
    }
}
