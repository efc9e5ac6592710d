package io.sluice.durabletask.client;

import io.grpc.stub.ServerCallStreamObserver;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.RaiseEventRequest;
import io.sluice.durabletask.wire.Protocol.RaiseEventResponse;
import io.sluice.durabletask.wire.Protocol.ResumeRequest;
import io.sluice.durabletask.wire.Protocol.ResumeResponse;
import io.sluice.durabletask.wire.Protocol.SuspendRequest;
import io.sluice.durabletask.wire.Protocol.SuspendResponse;
import io.sluice.durabletask.wire.Protocol.TerminateRequest;
import io.sluice.durabletask.wire.Protocol.TerminateResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.Instant;

/**
 * What clients tell running instances. An instance that has ended takes nothing more, which is no error; an unknown one
 * is NOT_FOUND. Thread-safe.
 */
public final class Signals {
    /** Within this a worker that is there has seen it. */
    private static final Duration SHOWN = Duration.ofSeconds(1);

    private final ClientContext context;
    private final States states;
    private final Waits waits;
    private final TerminationMessages terminations;

    /** Of one task hub. */
    public Signals(ClientContext context, States states, Waits waits) {
        this.context = context;
        this.states = states;
        this.waits = waits;
        this.terminations = new TerminationMessages(context);
    }

    /** Raises an event. */
    public RaiseEventResponse raise(RaiseEventRequest request) {
        HistoryEvent.Builder event = event();
        event.getEventRaisedBuilder().setName(Requests.notEmpty("name", request.getName()));
        if (request.hasInput()) {
            event.getEventRaisedBuilder().setInput(request.getInput());
        }
        tell(MessageEncoder.external(request.getInstanceId(), event.build()));
        return RaiseEventResponse.getDefaultInstance();
    }

    /** Terminates an instance, and its children when the request says so. */
    public TerminateResponse terminate(TerminateRequest request) {
        InstanceSummary instance = states.require(request.getInstanceId());
        if (!OrchestrationStates.hasEnded(instance)) {
            terminations.send(instance, Wire.orNull(request.hasOutput(), request.getOutput()), request.getRecursive());
        }
        return TerminateResponse.getDefaultInstance();
    }

    /**
     * Suspends an instance. Answers when that shows, or a moment later: without a worker it takes effect later, but
     * before the time of a start that is put off at once.
     */
    public void suspend(SuspendRequest request, ServerCallStreamObserver<SuspendResponse> caller) {
        HistoryEvent.Builder event = event();
        event.getExecutionSuspendedBuilder();
        if (request.hasReason()) {
            event.getExecutionSuspendedBuilder().setInput(request.getReason());
        }
        tell(
                MessageEncoder.external(request.getInstanceId(), event.build()),
                OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED);
        waits.awaitAtMost(
                SHOWN,
                request.getInstanceId(),
                status -> status == OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED || States.ENDED.contains(status),
                caller,
                SuspendResponse.getDefaultInstance());
    }

    /** Lets a suspended instance go on. Answers when that shows, or a moment later. */
    public void resume(ResumeRequest request, ServerCallStreamObserver<ResumeResponse> caller) {
        HistoryEvent.Builder event = event();
        event.getExecutionResumedBuilder();
        if (request.hasReason()) {
            event.getExecutionResumedBuilder().setInput(request.getReason());
        }
        tell(
                MessageEncoder.external(request.getInstanceId(), event.build()),
                OrchestrationStatus.ORCHESTRATION_STATUS_PENDING);
        waits.awaitAtMost(
                SHOWN,
                request.getInstanceId(),
                status -> status != OrchestrationStatus.ORCHESTRATION_STATUS_SUSPENDED,
                caller,
                ResumeResponse.getDefaultInstance());
    }

    private HistoryEvent.Builder event() {
        return Wire.outsideEvent(context.clock().instant());
    }

    private void tell(WorkItem message) {
        tell(message, states.require(message.routedInstance()));
    }

    private void tell(WorkItem message, InstanceSummary instance) {
        if (!OrchestrationStates.hasEnded(instance)) {
            context.provider().enqueueForOrchestrator(Requests.fitting(message), null);
        }
    }

    /** Messages wait for a start that is put off, so what such a one will do is shown along with it. */
    private void tell(WorkItem message, OrchestrationStatus aheadOfStart) {
        InstanceSummary instance = states.require(message.routedInstance());
        Instant now = context.clock().instant();
        if (!OrchestrationStates.isStartAhead(instance, now)) {
            tell(message, instance);
        } else if (!context.earlyMessages()
                .send(Requests.fitting(message), found -> OrchestrationStates.aheadOfStart(found, aheadOfStart, now))) {
            // It has changed since it was read.
            tell(message);
        }
    }
}
