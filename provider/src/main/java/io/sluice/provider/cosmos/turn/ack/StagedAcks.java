package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.staged.StagedTurn;
import io.sluice.provider.cosmos.staged.Staging;
import io.sluice.provider.cosmos.turn.lock.HeldTurn;
import io.sluice.provider.cosmos.turn.lock.HeldTurns;
import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.WriteOutcome;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Acks turns that don't fit into one batch: stages their parts unseen, commits them by one batch, and applies them.
 * Thread-safe.
 */
final class StagedAcks {
    private static final String REMOVED = "somebody else took it and removed what was staged";

    private final AckPlanner planner;
    private final AckWriter writer;
    private final Staging staging;
    private final Histories histories;
    private final HeldTurns held;

    StagedAcks(StoredInstances stored, AckPlanner planner, AckWriter writer, HeldTurns held) {
        this.planner = planner;
        this.writer = writer;
        this.staging = new Staging(stored.requests());
        this.histories = stored.histories();
        this.held = held;
    }

    /**
     * Commits the ack. The plan stays the same from the first part to the commit; only the version of the instance may
     * move meanwhile.
     *
     * @return the instance as it is now; nothing when an earlier try was committed, or another process applies the
     *     parts
     */
    Optional<Stored<InstanceDocument>> commit(PendingAck pending, TurnPlan plan) {
        HeldTurn turn = pending.turn();
        StagedTurn staged = StagedTurn.of(
                TurnPlan.OPERATION,
                "instance '" + pending.instanceId() + "'",
                DocumentJson.sizeBytes(plan.after().toJson()),
                plan.besides());
        if (checkDuplicates(pending, plan) == CommitState.COMMITTED) {
            return Optional.empty();
        }
        turn.rememberTry(staged.tryId(), pending.ack(), staged.weight());
        if (!staging.stage(() -> writer.requireCallWhileAlive(turn), pending.instanceId(), turn.token(), staged)) {
            throw held.lose(TurnPlan.OPERATION, turn, REMOVED);
        }
        while (true) {
            CommitBatch batch = planner.commitBatch(pending, plan, staged);
            WriteOutcome outcome = writer.send(turn, batch.writes());
            if (outcome instanceof WriteOutcome.Committed committed) {
                turn.moveTo(new Stored<>(batch.after(), committed.firstEtag()));
                return apply(pending, batch, committed.etags().get(CommitBatch.COMMIT_DOCUMENT));
            }
            if (isTryGone(outcome)) {
                throw held.lose(TurnPlan.OPERATION, turn, REMOVED);
            }
            if (writer.judge(pending, plan, batch.writes(), outcome) == CommitState.COMMITTED) {
                return Optional.empty();
            }
        }
    }

    private static boolean isTryGone(WriteOutcome outcome) {
        return outcome.match(
                committed -> false,
                refused -> refused.isNotFound() && refused.index() == CommitBatch.TRY_DOCUMENT,
                ambiguous -> false,
                failed -> false);
    }

    private Optional<Stored<InstanceDocument>> apply(PendingAck pending, CommitBatch batch, String commitEtag) {
        return writer.apply(pending, new Stored<>(batch.commit(), commitEtag))
                .map(unlocked -> new Stored<>(batch.after().unlocked(unlocked.updatedAt()), unlocked.etag()));
    }

    /**
     * Queries for the plan's events before anything is staged, since later parts can't be refused any more once the
     * first is committed.
     *
     * @return {@link CommitState#COMMITTED} when the events are there because an earlier try went through
     * @throws ProviderException permanent when they are there for another reason
     */
    private CommitState checkDuplicates(PendingAck pending, TurnPlan plan) {
        Set<String> ids = new HashSet<>();
        plan.history().forEach(event -> {
            if (!ids.add(event.id())) {
                throw Histories.duplicate(TurnPlan.OPERATION, pending.instanceId(), event.id());
            }
        });
        Optional<String> existing = ids.isEmpty()
                ? Optional.empty()
                : histories.existing(writer.call(pending.turn()), pending.instanceId(), plan.history()).stream()
                        .findFirst();
        if (existing.isPresent() && writer.settle(pending, plan) == CommitState.OPEN) {
            throw Histories.duplicate(TurnPlan.OPERATION, pending.instanceId(), existing.get());
        }
        return existing.isPresent() ? CommitState.COMMITTED : CommitState.OPEN;
    }
}
