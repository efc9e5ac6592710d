package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.turn.lock.HeldTurn;
import io.sluice.provider.cosmos.turn.lock.HeldTurns;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.cosmos.turn.work.TurnQueue;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.Deadline;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.util.List;

/** Acks turns, one call at a time for each: by one batch, or staged in parts where that is too small. Thread-safe. */
public final class TurnAcks {
    private static final Duration READ_PATIENCE = Duration.ofSeconds(10);

    private final HeldTurns held;
    private final AckPlanner planner;
    private final AckWriter writer;
    private final StagedAcks staged;
    private final AckCompletion completion;

    /** Wires the parts; no request is made. */
    public TurnAcks(StoredInstances stored, TurnQueue queue, HeldTurns held, AckPlanner planner) {
        this.held = held;
        this.planner = planner;
        this.writer = new AckWriter(stored, held);
        this.staged = new StagedAcks(stored, planner, writer, held);
        this.completion = new AckCompletion(
                held, queue, new ImmediateDelivery(stored.requests(), planner.settings(), stored.clock()));
    }

    /**
     * See {@link io.sluice.provider.Provider#ackOrchestrationItem}.
     *
     * @return the activities that the ack queued, as far as their versions are known
     */
    public List<Stored<QueueDocument>> ack(TurnAck ack) {
        Call lookUp = new Call(TurnPlan.OPERATION, "a turn", Deadline.in(READ_PATIENCE));
        HeldTurn turn = held.require(lookUp, ack.lockToken());
        turn.acking().lock();
        try {
            // An ack that came first may have committed or lost it.
            return commit(ack, held.require(lookUp, ack.lockToken()));
        } finally {
            turn.acking().unlock();
        }
    }

    private List<Stored<QueueDocument>> commit(TurnAck ack, HeldTurn turn) {
        writer.requireAlive(turn);
        PendingAck pending = planner.begin(ack, turn);
        TurnPlan plan = planner.plan(pending);
        boolean doubtful = turn.isAmbiguous() || turn.head().document().isLockedFar();
        if (doubtful && writer.settle(pending, plan) == CommitState.COMMITTED) {
            completion.completeUnseen(pending);
            return List.of();
        }
        if (plan.fitsOneBatch()) {
            return commitInOneBatch(pending);
        }
        staged.commit(pending, plan)
                .ifPresentOrElse(
                        after -> completion.complete(pending, plan, after), () -> completion.completeUnseen(pending));
        return List.of();
    }

    private List<Stored<QueueDocument>> commitInOneBatch(PendingAck pending) {
        while (true) {
            TurnPlan plan = planner.plan(pending);
            WriteOutcome outcome = writer.send(pending.turn(), plan.writes());
            if (outcome instanceof WriteOutcome.Committed committed) {
                completion.complete(pending, plan, new Stored<>(plan.after(), committed.firstEtag()));
                return plan.activities(committed.etags());
            }
            if (writer.judge(pending, plan, plan.writes(), outcome) == CommitState.COMMITTED) {
                completion.completeUnseen(pending);
                return List.of();
            }
        }
    }
}
