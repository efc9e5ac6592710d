package io.sluice.provider.cosmos.activity;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.document.Dispatch;
import io.sluice.provider.cosmos.document.DocumentIds;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.document.DocumentType;
import io.sluice.provider.cosmos.document.IntentDocument;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.QueueDocuments;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.document.TimeOrderedIds;
import io.sluice.provider.cosmos.request.Backoff;
import io.sluice.provider.cosmos.request.BatchWrite;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.Deadline;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.request.WriteOutcome;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Acks activities: the item goes and the completion comes in one batch. A refused or unanswered try is settled by one read of the item.
 */
final class ActivityAcks {
    private static final String OPERATION = "ackWorkItem";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ContainerRequests requests;
    private final HeldActivities held;
    private final ActivityLocks locks;
    private final TimeOrderedIds ids;
    private final String intentStatus;
    private final InstantSource clock;

    ActivityAcks(HeldActivities held, ActivityLocks locks, Activities.Wiring wiring) {
        this.requests = wiring.requests();
        this.held = held;
        this.locks = locks;
        this.ids = wiring.ids();
        this.intentStatus = wiring.intentStatus();
        this.clock = wiring.clock();
    }

    void ack(String token, @Nullable WorkItem completion) {
        Call lookUp = new Call(OPERATION, "an activity", Deadline.in(PATIENCE));
        HeldActivity activity = held.require(lookUp, token);
        activity.acking().lock();
        try {
            // Whoever came first may have acked it.
            commit(held.require(lookUp, token), completion);
        } finally {
            activity.acking().unlock();
        }
        String session = activity.sessionId();
        if (session != null) {
            locks.heartbeat(activity, session);
        }
    }

    private void commit(HeldActivity activity, @Nullable WorkItem completion) {
        if (!activity.isAlive(clock.millis()) && !activity.isAmbiguous()) {
            held.bury(activity, "it expired before the ack");
            throw ActivityLocks.lost(OPERATION, activity, "it expired before the ack");
        }
        Optional<BatchWrite> message =
                completion == null ? Optional.empty() : Optional.of(message(activity, completion));
        Backoff backoff = new Backoff();
        while (true) {
            if (activity.isAmbiguous() && isGone(activity)) {
                held.bury(activity, "it was acked already");
                return;
            }
            Call call = WorkerQueueView.call(OPERATION, activity.item().document(), activity.left(clock.millis()));
            List<BatchWrite> writes = new ArrayList<>();
            writes.add(new BatchWrite.Delete(activity.id(), activity.item().etag()));
            message.ifPresent(writes::add);
            WriteOutcome outcome = send(call, activity, writes);
            if (outcome instanceof WriteOutcome.Committed) {
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
            activity.becameAmbiguous();
            throw e;
        }
    }

    private void retryOrFail(Call call, HeldActivity activity, WriteOutcome outcome, Backoff backoff) {
        if (outcome instanceof WriteOutcome.Ambiguous) {
            activity.becameAmbiguous();
            if (!backoff.pause(call, null)) {
                Backoff.waitOut(call);
            }
        } else if (outcome instanceof WriteOutcome.PreconditionFailed || outcome instanceof WriteOutcome.NotFound) {
            if (!activity.isAmbiguous()) {
                takeOver(activity);
            }
        } else {
            if (!outcome.isOnlyForNow() || !backoff.pause(call, outcome.retryAfter())) {
                throw Failures.of(call, outcome);
            }
        }
    }

    /**
     * After doubt: the item being gone means that our batch went through, or that the activity was cancelled, when nobody waits for the completion.
     *
     * @throws ProviderException permanent when somebody else holds the item, or our lock on it has lapsed
     */
    private boolean isGone(HeldActivity activity) {
        Call call = WorkerQueueView.call(OPERATION, activity.item().document(), PATIENCE);
        if (requests.read(call, activity.instanceId(), activity.id()).isEmpty()) {
            return true;
        }
        takeOver(activity);
        return false;
    }

    private void takeOver(HeldActivity activity) {
        Call call = WorkerQueueView.call(OPERATION, activity.item().document(), PATIENCE);
        Optional<Stored<QueueDocument>> mine = held.reread(call, activity);
        if (mine.isEmpty()) {
            held.bury(activity, "the item is gone or taken over");
            throw ActivityLocks.lost(OPERATION, activity, "the item is gone (cancelled or acknowledged) or taken over");
        }
        activity.moved(mine.get());
        if (!activity.isAlive(clock.millis())) {
            held.bury(activity, "it expired");
            throw ActivityLocks.lost(OPERATION, activity, "it expired");
        }
    }

    /** The completion: a message beside the item, or an intent when it is for another instance. */
    private BatchWrite message(HeldActivity activity, WorkItem completion) {
        long now = clock.millis();
        String source = activity.instanceId();
        if (completion.routedInstance().equals(source)) {
            return new BatchWrite.Create(QueueDocuments.message(OPERATION, ids.next(now), completion, now, now)
                    .toJson());
        }
        long execution = Objects.requireNonNullElse(activity.item().document().executionId(), 1L);
        String key = DocumentIds.intentKey(source, execution, activity.token(), 0);
        QueueDocument target = QueueDocuments.message(OPERATION, DocumentIds.outboxTarget(key), completion, now, now)
                .inTrace(activity.item().document().trace());
        return new BatchWrite.Create(new IntentDocument(
                        source,
                        key,
                        target.instanceId(),
                        DocumentType.ORCHESTRATOR_QUEUE.wireName(),
                        DocumentJson.write(target.toJson()),
                        intentStatus,
                        now,
                        0,
                        null,
                        now,
                        new Dispatch(
                                null,
                                execution,
                                activity.item().document().id(),
                                null,
                                activity.item().document().trace()))
                .toJson());
    }
}
