package io.sluice.durabletask.client;

import io.sluice.durabletask.history.MessageEncoder;
import io.sluice.durabletask.history.TurnEvents;
import io.sluice.durabletask.history.TurnIntake;
import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.turn.Actions;
import io.sluice.durabletask.turn.OpenTurn;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Protocol.SkipGracefulOrchestrationTerminationsRequest;
import io.sluice.durabletask.wire.Protocol.SkipGracefulOrchestrationTerminationsResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.InstanceTurns;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ends instances without asking a worker, such as when there is none. Thread-safe. */
public final class Terminations {
    private static final Duration LOCK = Duration.ofSeconds(30);
    /** The action of an answer that no worker has given; workers count from 0. */
    private static final int NO_ACTION = -1;

    private final ClientContext context;
    private final States states;
    private final InstanceTurns turns;

    /** Of one task hub. */
    public Terminations(ClientContext context, States states, InstanceTurns turns) {
        this.context = context;
        this.states = states;
        this.turns = turns;
    }

    /**
     * Ends each instance at once.
     *
     * @return the ids of those that were not ended, for a worker has them at the moment
     */
    public SkipGracefulOrchestrationTerminationsResponse terminate(
            SkipGracefulOrchestrationTerminationsRequest request) {
        String reason = Wire.orNull(request.hasReason(), request.getReason());
        SkipGracefulOrchestrationTerminationsResponse.Builder response =
                SkipGracefulOrchestrationTerminationsResponse.newBuilder();
        Requests.instanceIds(request.getInstanceBatch()).stream()
                .filter(id -> !isEnded(id) && !end(id, reason))
                .forEach(response::addUnterminatedInstanceIds);
        return response.build();
    }

    private boolean isEnded(String instance) {
        return states.read(instance).map(OrchestrationStates::hasEnded).orElse(true);
    }

    private boolean end(String instance, @Nullable String reason) {
        Instant now = context.clock().instant();
        context.provider().enqueueForOrchestrator(MessageEncoder.termination(instance, reason, false, now), null);
        Optional<LockedTurn> turn = turns.fetch(instance, LOCK);
        return turn.isPresent() && end(turn.get(), reason, now);
    }

    private boolean end(LockedTurn locked, @Nullable String reason, Instant now) {
        TurnIntake intake = TurnEvents.of(locked.item(), now, Wire::newGuid);
        if (!(intake instanceof TurnIntake.Open open)) {
            context.provider().abandonOrchestrationItem(locked.lockToken(), null, true);
            return false;
        }
        OrchestratorResponse.Builder answer = OrchestratorResponse.newBuilder();
        var complete = answer.addActionsBuilder()
                .setId(NO_ACTION)
                .getCompleteOrchestrationBuilder()
                .setOrchestrationStatus(OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED);
        if (reason != null) {
            complete.setResult(Wire.text(reason));
        }
        try {
            context.provider()
                    .ackOrchestrationItem(Actions.of(
                                    new OpenTurn(locked.item().instance(), now, open),
                                    answer.build(),
                                    now,
                                    Wire::newGuid)
                            .toAck(locked.lockToken()));
            return true;
        } catch (ProviderException e) {
            if (e.retryable()) {
                throw e;
            }
            return false;
        }
    }
}
