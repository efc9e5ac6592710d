package io.sluice.examples.runtime;

import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a fetched activity under a renewed lock and acks it with its completion. */
final class ActivityRunner {
    private static final Logger LOG = LoggerFactory.getLogger(ActivityRunner.class);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

    private final Provider provider;
    private final Registry registry;
    private final RuntimeConfig config;
    private final LockRenewer locks;
    private final RuntimeCounters counters;

    ActivityRunner(
            Provider provider, Registry registry, RuntimeConfig config, LockRenewer locks, RuntimeCounters counters) {
        this.provider = provider;
        this.registry = registry;
        this.config = config;
        this.locks = locks;
        this.counters = counters;
    }

    void run(LockedWorkItem locked, WorkItem.ActivityExecute activity) {
        counters.activitiesFetched.increment();
        AtomicBoolean cancelled = new AtomicBoolean();
        Future<?> renewal = locks.renew(
                config.timing().activityRenewalPeriod(),
                () -> provider.renewWorkItemLock(
                        locked.lockToken(), config.timing().activityLock()),
                () -> cancelled.set(true));
        WorkItem completion;
        try {
            completion = complete(activity, locked.attemptCount());
        } finally {
            renewal.cancel(false);
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
        Optional<Activity> code = registry.findActivity(activity.name());
        if (code.isEmpty()) {
            return failed(activity, Failures.unregisteredActivity(activity.name()));
        }
        try {
            return new WorkItem.ActivityCompleted(
                    activity.instance(),
                    activity.executionId(),
                    activity.id(),
                    code.get().run(activity));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (Exception e) {
            return failed(activity, Failures.ofActivity(e));
        }
    }

    private static WorkItem failed(WorkItem.ActivityExecute activity, ErrorDetails details) {
        return new WorkItem.ActivityFailed(activity.instance(), activity.executionId(), activity.id(), details);
    }

    private void ack(LockedWorkItem locked, WorkItem.ActivityExecute activity, @Nullable WorkItem completion) {
        try {
            provider.ackWorkItem(locked.lockToken(), completion);
            counters.activitiesAcked.increment();
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
