package io.sluice.examples.runtime;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.TagFilter;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs activities: fetch, run under a renewed lock, ack with the completion. */
final class ActivityWorker {
    private static final Logger LOG = LoggerFactory.getLogger(ActivityWorker.class);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

    private final Provider provider;
    private final Registry registry;
    private final RuntimeConfig config;
    private final LockRenewer locks;
    private final RuntimeCounters counters;

    ActivityWorker(
            Provider provider, Registry registry, RuntimeConfig config, LockRenewer locks, RuntimeCounters counters) {
        this.provider = provider;
        this.registry = registry;
        this.config = config;
        this.locks = locks;
        this.counters = counters;
    }

    /** Works one activity, if there is one within the poll timeout. */
    void step() {
        Optional<LockedWorkItem> fetched =
                provider.fetchWorkItem(config.activityLock(), config.pollTimeout(), null, TagFilter.defaultOnly());
        fetched.ifPresent(this::work);
    }

    private void work(LockedWorkItem locked) {
        counters.activityFetched();
        if (!(locked.item() instanceof WorkItem.ActivityExecute activity)) {
            throw new IllegalStateException("not an activity: " + locked.item().variant());
        }
        AtomicBoolean cancelled = new AtomicBoolean();
        LockRenewer.Hold held = locks.hold(
                config.activityRenewalPeriod(),
                () -> provider.renewWorkItemLock(locked.lockToken(), config.activityLock()),
                () -> cancelled.set(true));
        WorkItem completion;
        try {
            completion = complete(activity, locked.attemptCount());
        } finally {
            held.close();
        }
        if (completion == null) {
            provider.abandonWorkItem(locked.lockToken(), null, true);
        } else {
            ack(locked, activity, cancelled.get() ? null : completion);
        }
    }

    /** The completion; null when the worker was stopped before the activity ended. */
    private @Nullable WorkItem complete(WorkItem.ActivityExecute activity, int attempts) {
        if (attempts > config.maxAttempts()) {
            return failed(activity, Failures.poisonedActivity(activity, attempts, config.maxAttempts()));
        }
        Activity code = registry.activity(activity.name());
        if (code == null) {
            return failed(activity, Failures.unregisteredActivity(activity.name()));
        }
        try {
            return new WorkItem.ActivityCompleted(
                    activity.instance(), activity.executionId(), activity.id(), code.run(activity.input()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ActivityFailedException | RuntimeException e) {
            return failed(activity, Failures.ofActivity(e));
        }
    }

    private static WorkItem failed(WorkItem.ActivityExecute activity, ErrorDetails details) {
        return new WorkItem.ActivityFailed(activity.instance(), activity.executionId(), activity.id(), details);
    }

    private void ack(LockedWorkItem locked, WorkItem.ActivityExecute activity, @Nullable WorkItem completion) {
        try {
            provider.ackWorkItem(locked.lockToken(), completion);
            counters.activityAcked();
        } catch (ProviderException e) {
            LOG.atWarn()
                    .addKeyValue("instance", activity.instance())
                    .addKeyValue("activity", activity.name())
                    .addKeyValue("retryable", e.retryable())
                    .setCause(e)
                    .log("activity not acknowledged, its result is dropped");
            if (e.retryable()) {
                provider.abandonWorkItem(locked.lockToken(), AFTER_FAILURE, false);
            }
        }
    }
}
