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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Ends instances without asking a worker, such as when there is none. Thread-safe. */
public final class Terminations {
    private static final Duration LOCK = Duration.ofSeconds(30);
    /** The action of an answer that no worker has given; workers count from 0. */
    private static final int NO_ACTION = -1;
    /**
     * Before those that are locked are tried again. A look for work that began with a worker that has left since may
     * take the termination; it finds nobody and gives the instance back at once.
     */
    private static final List<Duration> PAUSES = List.of(Duration.ofMillis(50), Duration.ofMillis(300));

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
        Instant now = context.clock().instant();
        List<String> left = Requests.instanceIds(request.getInstanceBatch()).stream()
                .filter(id -> !isEnded(id) && !tellAndEnd(id, reason, now))
                .toList();
        for (Duration pause : PAUSES) {
            if (!left.isEmpty()) {
                LockSupport.parkNanos(pause.toNanos());
                left = left.stream()
                        .filter(id -> !isEnded(id) && !end(id, reason, now))
                        .toList();
            }
        }
        return SkipGracefulOrchestrationTerminationsResponse.newBuilder()
                .addAllUnterminatedInstanceIds(left)
                .build();
    }

    private boolean isEnded(String instance) {
        return states.read(instance).map(OrchestrationStates::hasEnded).orElse(true);
    }

    private boolean tellAndEnd(String instance, @Nullable String reason, Instant now) {
        context.provider().enqueueForOrchestrator(MessageEncoder.termination(instance, reason, false, now), null);
        return end(instance, reason, now);
    }

    private boolean end(String instance, @Nullable String reason, Instant now) {
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
