package io.sluice.provider.cosmos.activity;

import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Deadline;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.FieldPatch;
import io.sluice.provider.request.WriteOutcome;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Acks activities: the item goes and the completion comes in one batch. A refused or unanswered try is settled by one
 * read of the item.
 */
final class ActivityAcks {
    private static final String OPERATION = "ackWorkItem";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ContainerRequests requests;
    private final HeldActivities held;
    private final ActivityLocks locks;
    private final ActivityCompletions completions;
    private final InstantSource clock;

    ActivityAcks(
            ContainerRequests requests,
            HeldActivities held,
            ActivityLocks locks,
            ActivityCompletions completions,
            InstantSource clock) {
        this.requests = requests;
        this.held = held;
        this.locks = locks;
        this.completions = completions;
        this.clock = clock;
    }

    /**
     * Acks an activity.
     *
     * @param named what the lock has to be on; null when the token alone counts
     * @return the message that was put into the queue of the activity's own instance
     */
    Optional<QueueDocument> ack(
            String token, @Nullable ScheduledActivityIdentifier named, @Nullable WorkItem completion) {
        Call lookUp = new Call(OPERATION, "an activity", Deadline.in(PATIENCE));
        HeldActivity activity = named == null ? held.require(lookUp, token) : held.require(lookUp, token, named);
        Optional<ActivityCompletions.Delivery> delivery = completion == null
                ? Optional.empty()
                : Optional.of(completions.delivery(OPERATION, activity, completion));
        activity.acking().lock();
        try {
            // An ack that came first may have spent the token.
            commit(held.require(lookUp, token), delivery.map(ActivityCompletions.Delivery::write));
        } finally {
            activity.acking().unlock();
        }
        String session = activity.sessionId();
        if (session != null) {
            locks.heartbeat(activity, session);
        }
        return delivery.map(ActivityCompletions.Delivery::message);
    }

    private void commit(HeldActivity activity, Optional<BatchWrite> message) {
        if (!activity.isAlive(clock.millis()) && !activity.isAmbiguous()) {
            held.bury(activity, "it expired before the ack");
            throw ActivityLocks.lost(OPERATION, activity, "it expired before the ack");
        }
        Backoff backoff = new Backoff();
        while (true) {
            if (activity.isAmbiguous() && findItem(activity) == Item.GONE) {
                held.bury(activity, "it was acked already");
                return;
            }
            Call call = WorkerQueueView.call(OPERATION, activity.item().document(), activity.left(clock.millis()));
            List<BatchWrite> writes = new ArrayList<>();
            writes.add(new BatchWrite.Delete(activity.id(), activity.item().etag()));
            message.ifPresent(writes::add);
            WriteOutcome outcome = send(call, activity, writes);
            if (outcome.isCommitted()) {
                held.bury(activity, "it was acked already");
                return;
            }
            retryOrFail(call, activity, outcome, backoff);
        }
    }

    private WriteOutcome send(Call call, HeldActivity activity, List<BatchWrite> writes) {
        try {
            return requests.batch(call, activity.instanceId(), writes);
        } catch (ProviderException e) {
            // Interrupted, and it may go through all the same.
            activity.markAmbiguous();
            throw e;
        }
    }

    private void retryOrFail(Call call, HeldActivity activity, WriteOutcome outcome, Backoff backoff) {
        if (outcome.isAmbiguous()) {
            activity.markAmbiguous();
            if (!backoff.pause(call, null)) {
                Backoff.waitOut(call);
            }
        } else if (outcome.needsReread() && !outcome.isConflict()) {
            if (!activity.isAmbiguous()) {
                takeOver(activity);
            }
        } else {
            if (!outcome.isOnlyForNow() || !backoff.pause(call, outcome.retryAfter())) {
                throw Failures.of(call, outcome);
            }
        }
    }

    private enum Item {
        /** It is gone: our batch was applied, or the activity was cancelled and its completion is not wanted. */
        GONE,
        /** It is there under our lock, whose version is noted. */
        OURS
    }

    /**
     * Reads what became of the item, after a write without an answer.
     *
     * @throws ProviderException permanent when somebody else holds the item, or our lock on it has lapsed
     */
    private Item findItem(HeldActivity activity) {
        while (true) {
            Call call = WorkerQueueView.call(OPERATION, activity.item().document(), PATIENCE);
            if (requests.read(call, activity.instanceId(), activity.id()).isEmpty()) {
                return Item.GONE;
            }
            if (takeOver(activity)) {
                return Item.OURS;
            }
        }
    }

    /**
     * Notes the version under our lock.
     *
     * @return false when a write that was under way, or another writer, moved the item meanwhile: read again
     */
    private boolean takeOver(HeldActivity activity) {
        Call call = WorkerQueueView.call(OPERATION, activity.item().document(), PATIENCE);
        Optional<Stored<QueueDocument>> mine = held.reread(call, activity);
        if (mine.isEmpty()) {
            held.bury(activity, "the item is gone or taken over");
            throw ActivityLocks.lost(OPERATION, activity, "the item is gone (cancelled or acknowledged) or taken over");
        }
        activity.moveTo(mine.get());
        if (activity.isAlive(clock.millis())) {
            return true;
        }
        if (activity.isAmbiguous() && !tryFence(call, activity)) {
            return false;
        }
        held.bury(activity, "it expired");
        throw ActivityLocks.lost(OPERATION, activity, "it expired");
    }

    /**
     * The lock lapsed with a try perhaps still under way: moves the item's version, so that the try can't remove it
     * after we called it lost.
     *
     * @return false when another writer moved the item first
     */
    private boolean tryFence(Call call, HeldActivity activity) {
        FieldPatch unlock = FieldPatch.set(Fields.LOCK_TOKEN, null).and(Fields.LOCKED_UNTIL, null);
        var write = new BatchWrite.PatchFields(
                activity.id(), unlock, activity.item().etag());
        WriteOutcome outcome = requests.batchPatiently(call, activity.instanceId(), List.of(write));
        if (outcome.isCommitted()) {
            return true;
        }
        if (outcome.needsReread()) {
            return false;
        }
        throw Failures.of(call, outcome);
    }
}
