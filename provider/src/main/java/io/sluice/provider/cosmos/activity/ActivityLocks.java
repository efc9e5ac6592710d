package io.sluice.provider.cosmos.activity;

import io.sluice.provider.ProviderException;
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
import io.sluice.provider.request.HeldLocks;
import io.sluice.provider.request.WriteOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews and gives back the lock of an activity. A runtime takes any failed renewal for a cancellation, so only
 * certainty is reported.
 */
final class ActivityLocks {
    private static final Logger LOG = LoggerFactory.getLogger(ActivityLocks.class);
    private static final String RENEW = "renewWorkItemLock";
    private static final String ABANDON = "abandonWorkItem";
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ContainerRequests requests;
    private final HeldActivities held;
    private final Sessions sessions;
    private final ActivityQueue queue;
    private final InstantSource clock;

    ActivityLocks(
            ContainerRequests requests,
            HeldActivities held,
            Sessions sessions,
            ActivityQueue queue,
            InstantSource clock) {
        this.requests = requests;
        this.held = held;
        this.sessions = sessions;
        this.queue = queue;
        this.clock = clock;
    }

    void renew(String token, Duration extendFor) {
        HeldActivity activity = require(RENEW, token);
        Backoff backoff = new Backoff();
        boolean renewed = false;
        while (!renewed) {
            if (!activity.isAlive(clock.millis())) {
                throw lost(RENEW, activity, "it expired before it could be renewed");
            }
            renewed = renewOnce(activity, extendFor, backoff);
        }
        String session = activity.sessionId();
        if (session != null) {
            heartbeat(activity, session);
        }
    }

    private boolean renewOnce(HeldActivity activity, Duration extendFor, Backoff backoff) {
        Stored<QueueDocument> item = activity.item();
        Call call = WorkerQueueView.call(RENEW, item.document(), activity.left(clock.millis()));
        long until = Math.max(activity.lockedUntil(), clock.millis() + extendFor.toMillis());
        FieldPatch patch = FieldPatch.set(Fields.LOCKED_UNTIL, until);
        WriteOutcome outcome = requests.batch(
                call, activity.instanceId(), List.of(new BatchWrite.PatchFields(activity.id(), patch, item.etag())));
        return outcome.match(
                committed -> {
                    activity.moveTo(new Stored<>(item.document().renewed(until), committed.firstEtag()));
                    return true;
                },
                refused -> {
                    rereadOrAwaitLapse(call, activity);
                    return false;
                },
                ambiguous -> {
                    rereadOrAwaitLapse(call, activity);
                    return pauseOrAwaitLapse(call, activity, ambiguous, backoff);
                },
                failed -> pauseOrAwaitLapse(call, activity, failed, backoff));
    }

    private void rereadOrAwaitLapse(Call call, HeldActivity activity) {
        try {
            reread(RENEW, call, activity);
        } catch (ProviderException e) {
            if (e.retryable() && !Thread.currentThread().isInterrupted()) {
                throw awaitLapse(call, activity, e);
            }
            throw e;
        }
    }

    /** Returns false: it is not renewed yet. */
    private static boolean pauseOrAwaitLapse(Call call, HeldActivity activity, WriteOutcome outcome, Backoff backoff) {
        if (!backoff.pause(call, outcome.retryAfter())) {
            throw awaitLapse(call, activity, Failures.of(call, outcome));
        }
        return false;
    }

    /**
     * A runtime that hears of a lost lock may ack without a completion, which must not find the lock alive: so it is
     * waited for.
     */
    private static ProviderException awaitLapse(Call call, HeldActivity activity, ProviderException why) {
        Backoff.waitOut(call);
        ProviderException lost = lost(RENEW, activity, "it could not be renewed before it expired");
        lost.addSuppressed(why);
        return lost;
    }

    /** Takes over the version that still bears our token, or reports the lock lost. */
    private void reread(String operation, Call call, HeldActivity activity) {
        Optional<Stored<QueueDocument>> mine = held.reread(call, activity);
        activity.moveTo(mine.orElseThrow(
                () -> lost(operation, activity, "the item is gone (cancelled or acknowledged) or taken over")));
    }

    /** Best effort: an idle-looking session costs affinity, never correctness. */
    void heartbeat(HeldActivity activity, String session) {
        Call call = WorkerQueueView.call("touchSession", activity.item().document(), Duration.ofSeconds(1));
        try {
            sessions.heartbeat(call, activity.instanceId(), session);
        } catch (ProviderException e) {
            LOG.atDebug()
                    .addKeyValue("instance", activity.instanceId())
                    .setCause(e)
                    .log("the latest activity of a session could not be noted");
        }
    }

    void abandon(String token, @Nullable Duration delay, boolean ignoreAttempt) {
        HeldActivity activity = require(ABANDON, token);
        Call call = WorkerQueueView.call(ABANDON, activity.item().document(), PATIENCE);
        Backoff backoff = new Backoff();
        while (true) {
            Stored<QueueDocument> item = activity.item();
            long visibleAt = delay == null ? item.document().visibleAt() : clock.millis() + delay.toMillis();
            FieldPatch patch = FieldPatch.set(Fields.LOCK_TOKEN, null)
                    .and(Fields.LOCKED_UNTIL, null)
                    .and(Fields.VISIBLE_AT, visibleAt);
            if (ignoreAttempt) {
                patch.and(Fields.ATTEMPT_COUNT, Math.max(0, item.document().attemptCount() - 1));
            }
            WriteOutcome outcome = requests.batchPatiently(
                    call,
                    activity.instanceId(),
                    List.of(new BatchWrite.PatchFields(activity.id(), patch, item.etag())));
            boolean isUnlocked = outcome.match(
                    committed -> true,
                    refused -> {
                        reread(ABANDON, call, activity);
                        return false;
                    },
                    ambiguous -> findHolder(call, activity) == HeldLocks.Holder.ANOTHER,
                    Failures.throwing(call));
            if (isUnlocked) {
                held.bury(activity, "it was abandoned");
                queue.putBack(item.document(), visibleAt);
                return;
            }
            if (outcome.isAmbiguous() && !backoff.pause(call, null)) {
                throw Failures.of(call, outcome);
            }
        }
    }

    /** Reads in whose hands the lock is, after a write without an answer; notes the version of a lock that is ours. */
    private HeldLocks.Holder findHolder(Call call, HeldActivity activity) {
        Optional<Stored<QueueDocument>> mine = held.reread(call, activity);
        mine.ifPresent(activity::moveTo);
        return mine.isPresent() ? HeldLocks.Holder.US : HeldLocks.Holder.ANOTHER;
    }

    private HeldActivity require(String operation, String token) {
        return held.require(new Call(operation, "an activity", Deadline.in(PATIENCE)), token);
    }

    static ProviderException lost(String operation, HeldActivity activity, String why) {
        return Failures.lockLost(operation, activity.subject(), why);
    }
}
