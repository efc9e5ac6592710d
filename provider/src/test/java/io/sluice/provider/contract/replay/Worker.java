package io.sluice.provider.contract.replay;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs activities: fetch, run under a renewed lock, ack with the completion. A session beyond the cap is given back
 * uncounted.
 */
final class Worker {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final Duration OVER_CAP = Duration.ofMillis(100);

    private final Provider provider;
    private final Code code;
    private final RuntimeOptions options;
    private final String owner;
    private final SessionSlots slots;
    private final ScheduledExecutorService renewals;

    Worker(
            Provider provider,
            Code code,
            RuntimeOptions options,
            String owner,
            SessionSlots slots,
            ScheduledExecutorService renewals) {
        this.provider = provider;
        this.code = code;
        this.options = options;
        this.owner = owner;
        this.slots = slots;
        this.renewals = renewals;
    }

    void step() {
        var session = new SessionFetchConfig(owner, options.sessionLock());
        provider.fetchWorkItem(options.workerLock(), ReplayRuntime.POLL, session, options.tags())
                .ifPresent(this::admit);
    }

    private void admit(LockedWorkItem locked) {
        if (!(locked.item() instanceof WorkItem.ActivityExecute activity)) {
            throw new IllegalStateException("not an activity: " + locked.item());
        }
        String session = activity.sessionId();
        if (session == null) {
            work(locked, activity);
        } else if (slots.enter(session)) {
            try {
                work(locked, activity);
            } finally {
                slots.leave(session);
            }
        } else {
            provider.abandonWorkItem(locked.lockToken(), OVER_CAP, true);
        }
    }

    private void work(LockedWorkItem locked, WorkItem.ActivityExecute activity) {
        AtomicBoolean cancelled = new AtomicBoolean();
        long period = options.workerLock().toMillis() / 2;
        ScheduledFuture<?> renewal = renewals.scheduleWithFixedDelay(
                () -> renew(locked.lockToken(), cancelled), period, period, TimeUnit.MILLISECONDS);
        WorkItem completion;
        try {
            completion = completion(activity);
        } finally {
            renewal.cancel(false);
        }
        try {
            provider.ackWorkItem(locked.lockToken(), cancelled.get() ? null : completion);
        } catch (ProviderException e) {
            // The orchestration no longer waits for it.
            LOG.atInfo().addKeyValue("activity", activity.name()).setCause(e).log("result dropped");
        }
    }

    private void renew(String token, AtomicBoolean cancelled) {
        try {
            provider.renewWorkItemLock(token, options.workerLock());
        } catch (ProviderException e) {
            LOG.atInfo().setCause(e).log("activity cancelled");
            cancelled.set(true);
        }
    }

    private WorkItem completion(WorkItem.ActivityExecute activity) {
        try {
            Activity body = code.activity(activity.name());
            if (body == null) {
                throw new IllegalStateException("no activity named " + activity.name());
            }
            return new WorkItem.ActivityCompleted(
                    activity.instance(), activity.executionId(), activity.id(), body.run(activity));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed(activity, "interrupted");
        } catch (Exception e) {
            return failed(activity, String.valueOf(e.getMessage()));
        }
    }

    private static WorkItem failed(WorkItem.ActivityExecute activity, String message) {
        return new WorkItem.ActivityFailed(
                activity.instance(),
                activity.executionId(),
                activity.id(),
                new ErrorDetails.Application(ErrorDetails.ApplicationKind.Plain.ACTIVITY_FAILED, message, false));
    }
}
