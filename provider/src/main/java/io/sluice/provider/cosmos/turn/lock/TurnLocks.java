package io.sluice.provider.cosmos.turn.lock;

import io.sluice.provider.cosmos.turn.read.PartitionReader;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.cosmos.turn.work.TurnQueue;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Deadline;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.HeldLocks;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Renews and gives back the lock of a turn; both name the version they change, so that a stolen lock is never touched.
 */
public final class TurnLocks {
    private static final String RENEW = "renewOrchestrationItemLock";
    private static final String ABANDON = "abandonOrchestrationItem";
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MESSAGES_PER_BATCH = BatchWrite.MAX_OPERATIONS - 1;

    private final ContainerRequests requests;
    private final PartitionReader partitions;
    private final HeldTurns held;
    private final InstantSource clock;

    /** No lock is held yet, and no request made. */
    public TurnLocks(StoredInstances stored, TurnQueue queue) {
        this.requests = stored.requests();
        this.partitions = stored.partitions();
        this.held = new HeldTurns(stored, queue);
        this.clock = stored.clock();
    }

    /** The turns whose locks they are. */
    public HeldTurns held() {
        return held;
    }

    /**
     * Renews the lock and the tags of its messages, the first 99 in one batch with it. Tags that lapsed before the lock
     * would show messages nobody can take, and every process would read their partition in vain, again and again.
     */
    public void renew(String token, Duration extendFor) {
        HeldTurn turn = require(RENEW, token);
        Backoff backoff = new Backoff();
        List<QueueDocument> tagged = new ArrayList<>(turn.contents().messages());
        boolean isRenewed = false;
        while (true) {
            Stored<InstanceDocument> head = turn.head();
            if (head.document().isLockedFar()) {
                // Its ack is committed, and being applied part by part: nobody takes it, and a shorter lock would let
                // somebody.
                return;
            }
            if (!turn.isAlive(now())) {
                throw HeldTurns.lockLost(RENEW, turn, "it expired before the renewal");
            }
            Call call = turn.callWhileAlive(RENEW, now());
            long until = Math.max(turn.lockedUntil(), now() + extendFor.toMillis());
            InstanceDocument renewed = head.document().locked(token, until, updatedAt(head.document()));
            List<QueueDocument> some = tagged.subList(0, Math.min(tagged.size(), MESSAGES_PER_BATCH));
            WriteOutcome outcome = requests.batch(call, turn.instanceId(), renewal(renewed, head.etag(), some));
            if (outcome instanceof WriteOutcome.Committed committed) {
                turn.moveTo(new Stored<>(renewed, committed.firstEtag()));
                held.excludeFromQueue(turn);
                isRenewed = true;
                some.clear();
                if (tagged.isEmpty()) {
                    return;
                }
            } else if (outcome instanceof WriteOutcome.Refused gone && gone.isNotFound() && gone.index() > 0) {
                tagged.remove(gone.index() - 1);
            } else if (isRenewed && outcome.isOnlyForNow()) {
                // The lock is renewed; tags that lapse before it cost others a read, and the next renewal tries again.
                return;
            } else {
                pauseOrReread(call, turn, outcome, backoff);
            }
        }
    }

    private static List<BatchWrite> renewal(InstanceDocument renewed, String etag, List<QueueDocument> tagged) {
        List<BatchWrite> writes = new ArrayList<>();
        FieldPatch lock =
                FieldPatch.set(Fields.LOCKED_UNTIL, renewed.lockedUntil()).and(Fields.UPDATED_AT, renewed.updatedAt());
        writes.add(new BatchWrite.PatchFields(renewed.id(), lock, etag));
        FieldPatch tag = FieldPatch.set(Fields.LOCKED_UNTIL, renewed.lockedUntil());
        tagged.forEach(message -> writes.add(new BatchWrite.PatchFields(message.id(), tag, null)));
        return writes;
    }

    private void pauseOrReread(Call call, HeldTurn turn, WriteOutcome outcome, Backoff backoff) {
        if (outcome.needsReread()) {
            reread(call, turn);
        } else if (!backoff.pause(call, outcome.retryAfter())) {
            // Tried until then whatever the store said: a role or firewall that refuses us now may be put right while
            // the lock lives.
            throw HeldTurns.lockLost(RENEW, turn, "it could not be renewed in time, the store being busy");
        }
    }

    /**
     * Gives the turn back, its messages to be seen again after a delay; null for at once.
     *
     * @param ignoreAttempt whether this fetch is not to count as an attempt
     */
    public void abandon(String token, @Nullable Duration delay, boolean ignoreAttempt) {
        HeldTurn turn = require(ABANDON, token);
        Call call = Call.onInstance(ABANDON, turn.instanceId(), PATIENCE);
        @Nullable Long visibleAt = delay == null ? null : Long.valueOf(now() + delay.toMillis());
        List<BatchWrite> untag = untag(turn.contents().messages(), visibleAt, ignoreAttempt);
        // The last batch unlocks; those before it keep the lock, so nobody sees half of the messages.
        int from = 0;
        while (untag.size() - from > MESSAGES_PER_BATCH) {
            List<BatchWrite> some = untag.subList(from, from + MESSAGES_PER_BATCH);
            conditionally(call, turn, some, false);
            from += MESSAGES_PER_BATCH;
        }
        conditionally(call, turn, untag.subList(from, untag.size()), true);
        held.giveBack(turn, visibleAt);
    }

    private static List<BatchWrite> untag(List<QueueDocument> messages, @Nullable Long visibleAt, boolean ignore) {
        List<BatchWrite> writes = new ArrayList<>();
        for (QueueDocument message : messages) {
            FieldPatch patch = FieldPatch.set(Fields.LOCK_TOKEN, null).and(Fields.LOCKED_UNTIL, null);
            if (visibleAt != null) {
                patch.and(Fields.VISIBLE_AT, visibleAt);
            }
            if (ignore) {
                // The count before this fetch, which added one.
                patch.and(Fields.ATTEMPT_COUNT, Math.max(0, message.attemptCount()));
            }
            writes.add(new BatchWrite.PatchFields(message.id(), patch, null));
        }
        return writes;
    }

    /** Writes under the instance's version; after doubt or a moved version one read decides. */
    private void conditionally(Call call, HeldTurn turn, List<BatchWrite> untag, boolean unlock) {
        List<BatchWrite> rest = new ArrayList<>(untag);
        Backoff backoff = new Backoff();
        while (true) {
            Stored<InstanceDocument> head = turn.head();
            if (head.document().isLockedFar()) {
                throw HeldTurns.lockLost(call.operation(), turn, "its ack was committed");
            }
            InstanceDocument moved = unlock
                    ? turn.free(updatedAt(head.document()))
                    : head.document().locked(turn.token(), turn.lockedUntil(), updatedAt(head.document()));
            List<BatchWrite> writes = new ArrayList<>();
            writes.add(unlock && turn.contents().created() ? undo(head) : change(moved, head.etag()));
            writes.addAll(rest);
            WriteOutcome outcome = requests.batchPatiently(call, turn.instanceId(), writes);
            if (outcome instanceof WriteOutcome.Committed committed) {
                if (!unlock) {
                    turn.moveTo(new Stored<>(moved, committed.firstEtag()));
                }
                return;
            }
            if (outcome instanceof WriteOutcome.Refused gone && gone.isNotFound() && gone.index() > 0) {
                rest.remove(gone.index() - 1);
            } else if (outcome.isAmbiguous() && unlock) {
                if (findHolder(call, turn) == HeldLocks.Holder.ANOTHER) {
                    return;
                }
            } else if (outcome.needsReread()) {
                reread(call, turn);
            } else {
                throw Failures.of(call, outcome);
            }
            if (outcome.isAmbiguous() && !backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
    }

    /** An instance that was never acked does not exist: what waits for it must not look started. */
    private static BatchWrite undo(Stored<InstanceDocument> head) {
        return new BatchWrite.Delete(head.document().id(), head.etag());
    }

    private static BatchWrite change(InstanceDocument moved, String etag) {
        FieldPatch patch = FieldPatch.set(Fields.LOCK_TOKEN, moved.lockToken())
                .and(Fields.LOCKED_UNTIL, moved.lockedUntil())
                .and(Fields.UPDATED_AT, moved.updatedAt());
        return new BatchWrite.PatchFields(moved.id(), patch, etag);
    }

    /** Reads in whose hands the lock is, after a write without an answer; notes the version of a lock that is ours. */
    private HeldLocks.Holder findHolder(Call call, HeldTurn turn) {
        Optional<Stored<InstanceDocument>> head = partitions.lock(call, turn.instanceId());
        if (head.isEmpty() || !head.get().document().bears(turn.token())) {
            return HeldLocks.Holder.ANOTHER;
        }
        turn.moveTo(head.get());
        return HeldLocks.Holder.US;
    }

    /** Takes over the version that still bears our token, or reports the lock lost. */
    private void reread(Call call, HeldTurn turn) {
        Optional<Stored<InstanceDocument>> head = partitions.lock(call.within(PATIENCE), turn.instanceId());
        if (head.isEmpty() || !head.get().document().bears(turn.token())) {
            throw HeldTurns.lockLost(
                    call.operation(), turn, head.isEmpty() ? "the instance is gone" : "it was released or taken over");
        }
        turn.moveTo(head.get());
    }

    private HeldTurn require(String operation, String token) {
        return held.require(new Call(operation, "a turn", Deadline.in(PATIENCE)), token);
    }

    private long updatedAt(InstanceDocument document) {
        return Math.max(now(), document.updatedAt() + 1);
    }

    private long now() {
        return clock.millis();
    }
}
