package io.sluice.durabletask.client;

import io.sluice.durabletask.history.TurnEvents;
import io.sluice.durabletask.history.TurnIntake;
import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.turn.OpenTurn;
import io.sluice.durabletask.turn.WorkerlessTurn;
import io.sluice.durabletask.wire.Protocol.SkipGracefulOrchestrationTerminationsRequest;
import io.sluice.durabletask.wire.Protocol.SkipGracefulOrchestrationTerminationsResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.InstanceSummary;
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
    /**
     * Before those that are locked are tried again. A fetch that began with a worker that has left since may
     * take the termination; it finds nobody and gives the instance back at once.
     */
    private static final List<Duration> PAUSES = List.of(Duration.ofMillis(50), Duration.ofMillis(300));

    private final ClientContext context;
    private final States states;
    private final InstanceTurns turns;
    private final TerminationMessages messages;

    /** Of one task hub. */
    public Terminations(ClientContext context, States states, InstanceTurns turns) {
        this.context = context;
        this.states = states;
        this.turns = turns;
        this.messages = new TerminationMessages(context);
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
                .filter(id -> !tellAndEnd(id, reason, now))
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

    private boolean tellAndEnd(String id, @Nullable String reason, Instant now) {
        Optional<InstanceSummary> instance = states.read(id).filter(found -> !OrchestrationStates.hasEnded(found));
        if (instance.isEmpty()) {
            return true;
        }
        messages.send(instance.get(), reason, false);
        return end(id, reason, now);
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
        try {
            context.provider()
                    .ackOrchestrationItem(
                            WorkerlessTurn.end(new OpenTurn(locked.item().instance(), now, open), reason, now)
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
