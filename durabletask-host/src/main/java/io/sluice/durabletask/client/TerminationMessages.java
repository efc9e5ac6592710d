package io.sluice.durabletask.client;

import io.grpc.Status;
import io.sluice.durabletask.history.EventDecoder;
import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.turn.TurnLimits;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends the terminations that clients ask for. An instance whose start is put off gets the start along with its
 * termination, so that it ends now and not at the time of its start. Thread-safe.
 */
final class TerminationMessages {
    private final ClientContext context;

    TerminationMessages(ClientContext context) {
        this.context = context;
    }

    /**
     * Terminates an instance.
     *
     * @param instance as it was read just now
     * @param reason what its output becomes; null for none
     * @throws io.grpc.StatusRuntimeException RESOURCE_EXHAUSTED when the reason is too large
     */
    void send(InstanceSummary instance, @Nullable String reason, boolean recurse) {
        Instant now = context.clock().instant();
        WorkItem termination =
                Requests.fitting(MessageEncoder.termination(instance.instanceId(), reason, recurse, now));
        boolean isSent = OrchestrationStates.isStartAhead(instance, now)
                && context.queries()
                        .waitingStart(instance.instanceId())
                        .filter(start -> EventDecoder.started(start)
                                .filter(ExecutionStartedEvent::hasScheduledStartTimestamp)
                                .isPresent())
                        .map(start -> fitting(MessageEncoder.terminatedStart(start, reason, recurse, now)))
                        .filter(start -> trySend(start, instance))
                        .isPresent();
        if (!isSent) {
            context.provider().enqueueForOrchestrator(termination, null);
        }
    }

    /** The start would begin, under this id, what another client has put in the place of the instance meanwhile. */
    private boolean trySend(WorkItem start, InstanceSummary instance) {
        return context.earlyMessages()
                .send(
                        start,
                        found -> OrchestrationStates.isSame(found, instance)
                                ? Optional.ofNullable(found.ext())
                                : Optional.empty());
    }

    private static WorkItem fitting(WorkItem start) {
        TurnLimits.terminatedStartFault(start).ifPresent(fault -> {
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription("together with the start that is put off, " + fault)
                    .asRuntimeException();
        });
        return start;
    }
}
