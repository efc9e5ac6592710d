package io.sluice.provider.cosmos.turn.ack;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.cosmos.turn.lock.HeldTurn;
import io.sluice.provider.cosmos.turn.lock.HeldTurns;
import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.document.StagedCommit;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the batch that commits an ack, and finds out what an unfavourable answer means. Doubt is settled by one read of
 * the partition, never by repeating blindly; once a try was in doubt, every later refusal is settled so too. The rules
 * are the steps of the protocol model of fetch, renewal and ack. Thread-safe.
 */
final class AckWriter {
    private static final Logger LOG = LoggerFactory.getLogger(AckWriter.class);
    private static final Duration SETTLE_PATIENCE = Duration.ofSeconds(10);

    private final ContainerRequests requests;
    private final TurnSettlement settlement;
    private final TurnFinisher finisher;
    private final HeldTurns held;
    private final InstantSource clock;

    AckWriter(StoredInstances stored, HeldTurns held) {
        this.requests = stored.requests();
        this.settlement = new TurnSettlement(stored, held);
        this.finisher = new TurnFinisher(stored.requests(), stored.clock());
        this.held = held;
        this.clock = stored.clock();
    }

    /**
     * Refuses an ack whose lock lapsed, unless an earlier try is in doubt.
     *
     * @throws ProviderException permanent when the lock is lost
     */
    void requireAlive(HeldTurn turn) {
        if (!turn.isAlive(clock.millis()) && !turn.isAmbiguous()) {
            throw held.lose(TurnPlan.OPERATION, turn, "it expired before the ack");
        }
    }

    /** One try. */
    WriteOutcome send(HeldTurn turn, List<BatchWrite> writes) {
        try {
            return requests.batch(call(turn), turn.instanceId(), writes);
        } catch (ProviderException e) {
            // Interrupted, and it may go through all the same.
            turn.markAmbiguous();
            throw e;
        }
    }

    /**
     * Judges the answer to a try, and pauses where the store asks for it.
     *
     * @return {@link CommitState#OPEN} to try again
     * @throws ProviderException when trying again is of no use
     */
    CommitState judge(PendingAck pending, TurnPlan plan, List<BatchWrite> writes, WriteOutcome outcome) {
        return outcome.match(
                committed -> CommitState.COMMITTED,
                refused -> judgeRefusal(pending, plan, writes, refused),
                ambiguous -> settleDoubt(pending, plan),
                failed -> pauseOrThrow(pending, failed));
    }

    private CommitState judgeRefusal(
            PendingAck pending, TurnPlan plan, List<BatchWrite> writes, WriteOutcome.Refused refused) {
        String documentId = writes.get(refused.index()).id();
        if (refused.isNotFound() && refused.index() > 0) {
            // An activity to be cancelled is gone: a worker completed it first.
            pending.missing().add(documentId);
            return CommitState.OPEN;
        }
        if (refused.isConflict()) {
            // The instance came first in the batch, so its version was right: the lock is ours, and the id is taken.
            throw Histories.duplicate(TurnPlan.OPERATION, pending.instanceId(), documentId);
        }
        return settle(pending, plan);
    }

    private CommitState settleDoubt(PendingAck pending, TurnPlan plan) {
        pending.turn().markAmbiguous();
        CommitState state = settle(pending, plan);
        if (state == CommitState.OPEN && !pending.backoff().pause(call(pending.turn()), null)) {
            // No more tries: once the lock has lapsed the last one is settled permanently.
            Backoff.waitOut(call(pending.turn()));
            return settle(pending, plan);
        }
        return state;
    }

    private CommitState pauseOrThrow(PendingAck pending, WriteOutcome.Failed failed) {
        Call call = call(pending.turn());
        if (!failed.isOnlyForNow() || !pending.backoff().pause(call, failed.retryAfter())) {
            throw Failures.of(call, failed);
        }
        return CommitState.OPEN;
    }

    /** Finds out whether an earlier try was committed; the parts of a staged one are then applied. */
    CommitState settle(PendingAck pending, TurnPlan plan) {
        CommitState state = settlement.settle(callAfterLock(pending), pending.turn(), pending.ack(), plan);
        if (state == CommitState.COMMITTED && !plan.fitsOneBatch()) {
            try {
                finisher.finishIfAny(callAfterLock(pending), pending.instanceId());
            } catch (ProviderException e) {
                logUnapplied(pending, e);
            }
        }
        return state;
    }

    /**
     * Applies the parts of the turn that was just committed. Any process that finds the instance can do so too, hence a
     * failure here fails nothing.
     *
     * @return the instance's new version; nothing when another process unlocked it, or will
     */
    Optional<TurnFinisher.Unlocked> apply(PendingAck pending, Stored<StagedCommit> commit) {
        try {
            return finisher.finish(callAfterLock(pending), commit);
        } catch (ProviderException e) {
            logUnapplied(pending, e);
            return Optional.empty();
        }
    }

    private static void logUnapplied(PendingAck pending, ProviderException why) {
        LOG.atWarn()
                .addKeyValue("instance", pending.instanceId())
                .setCause(why)
                .log("a committed turn is not applied yet; the next process to find the instance applies it");
    }

    /** A call that ends with the lock. */
    Call call(HeldTurn turn) {
        return turn.callWhileAlive(TurnPlan.OPERATION, clock.millis());
    }

    /**
     * The same while parts are staged: only the commit, whose answer may be lost, is tried past the lock's life, and
     * then settled.
     *
     * @throws ProviderException when the lock has lapsed
     */
    Call requireCallWhileAlive(HeldTurn turn) {
        if (turn.isAlive(clock.millis())) {
            return call(turn);
        }
        if (turn.isAmbiguous()) {
            throw ProviderException.retryable(
                    TurnPlan.OPERATION,
                    "the lock on instance '" + turn.instanceId() + "' lapsed while an earlier ack under it is in doubt",
                    null);
        }
        throw held.lose(TurnPlan.OPERATION, turn, "it expired before the ack was committed");
    }

    /** For the requests after the lock's end: settling the ack, and applying a committed one. */
    private static Call callAfterLock(PendingAck pending) {
        return Call.onInstance(TurnPlan.OPERATION, pending.instanceId(), SETTLE_PATIENCE);
    }
}
