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

/** How a terminated instance ends that no worker is asked about. */
public final class WorkerlessEnd {
    /** The action of an answer that no worker has given; workers count from 0. */
    private static final int NO_ACTION = -1;

    private WorkerlessEnd() {}

    /** What ends the instance of a turn. */
    public static TurnOutcome of(OpenTurn turn, @Nullable String reason, Instant now) {
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
     * What ends an instance that was terminated before its first turn: a worker would run its code up to the first
     * thing that it awaits.
     *
     * @return empty when it runs already, or nobody has terminated it
     */
    public static Optional<TurnOutcome> beforeFirstTurn(OpenTurn turn, Instant now) {
        List<NewEvent> events = turn.intake().events();
        if (!turn.intake().isFirstTurn() || !(events.get(0).message() instanceof WorkItem.StartOrchestration)) {
            return Optional.empty();
        }
        return events.stream()
                .map(NewEvent::event)
                .filter(HistoryEvent::hasExecutionTerminated)
                .map(HistoryEvent::getExecutionTerminated)
                .findFirst()
                .map(terminated -> of(turn, reason(terminated), now));
    }

    private static @Nullable String reason(ExecutionTerminatedEvent terminated) {
        return Wire.orNull(terminated.hasInput(), terminated.getInput());
    }
}
