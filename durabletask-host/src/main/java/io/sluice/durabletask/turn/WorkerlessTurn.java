package io.sluice.durabletask.turn;

import io.sluice.durabletask.history.NewEvent;
import io.sluice.durabletask.wire.Protocol.ExecutionTerminatedEvent;
import io.sluice.durabletask.wire.Protocol.HistoryEvent;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.work.WorkItem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns that no worker is asked about. */
public final class WorkerlessTurn {
    /** The action of an answer that no worker has given; workers count from 0. */
    private static final int NO_ACTION = -1;

    private WorkerlessTurn() {}

    /** What ends the instance of a turn. */
    public static TurnOutcome end(OpenTurn turn, @Nullable String reason, Instant now) {
        OrchestratorResponse.Builder answer = OrchestratorResponse.newBuilder();
        var complete = answer.addActionsBuilder()
                .setId(NO_ACTION)
                .getCompleteOrchestrationBuilder()
                .setOrchestrationStatus(OrchestrationStatus.ORCHESTRATION_STATUS_TERMINATED);
        if (reason != null) {
            complete.setResult(Wire.text(reason));
        }
        return Actions.of(turn, answer.build(), now, Wire::newGuid);
    }

    /**
     * What becomes of an instance that was terminated or suspended before its first turn: a worker would run its code
     * up to the first thing that it awaits. One that is suspended begins and waits; a worker gets the turn that resumes
     * it.
     *
     * @return empty when it runs already, or goes to a worker
     */
    public static Optional<TurnOutcome> beforeFirstTurn(OpenTurn turn, Instant now) {
        List<NewEvent> events = turn.intake().events();
        if (!turn.intake().isFirstTurn() || !(events.get(0).message() instanceof WorkItem.StartOrchestration)) {
            return Optional.empty();
        }
        List<HistoryEvent> arrived = events.stream().map(NewEvent::event).toList();
        return arrived.stream()
                .filter(HistoryEvent::hasExecutionTerminated)
                .map(HistoryEvent::getExecutionTerminated)
                .findFirst()
                .map(terminated -> end(turn, reason(terminated), now))
                .or(() -> isSuspended(arrived) ? Optional.of(begin(turn, now)) : Optional.empty());
    }

    private static TurnOutcome begin(OpenTurn turn, Instant now) {
        return Actions.of(turn, OrchestratorResponse.getDefaultInstance(), now, Wire::newGuid);
    }

    private static boolean isSuspended(List<HistoryEvent> events) {
        boolean isSuspended = false;
        for (HistoryEvent event : events) {
            isSuspended = event.hasExecutionSuspended() || (isSuspended && !event.hasExecutionResumed());
        }
        return isSuspended;
    }

    private static @Nullable String reason(ExecutionTerminatedEvent terminated) {
        return Wire.orNull(terminated.hasInput(), terminated.getInput());
    }
}
