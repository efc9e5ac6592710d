package io.sluice.provider.feed;

import io.sluice.provider.CustomStatus;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.InstanceStats;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A provider whose work feed has announced everything that is there before each fetch. Thread-safe. */
public final class CatchingUpProvider implements Provider {
    private static final Duration DELIVERY = Duration.ofMillis(300);

    private final Provider provider;
    private final ChangeFeedAnnouncer announcer;
    private final boolean isByHand;

    /** Wraps a provider that was built with a feed of this announcer. */
    public CatchingUpProvider(Provider provider, ChangeFeedAnnouncer announcer) {
        this(provider, announcer, false);
    }

    private CatchingUpProvider(Provider provider, ChangeFeedAnnouncer announcer, boolean isByHand) {
        this.provider = provider;
        this.announcer = announcer;
        this.isByHand = isByHand;
    }

    /** The same with an announcer that delivers {@link ChangeFeedAnnouncer#byHand}: no fetch waits. */
    public static CatchingUpProvider byHand(Provider provider, ChangeFeedAnnouncer announcer) {
        return new CatchingUpProvider(provider, announcer, true);
    }

    /** The provider that is wrapped. */
    public Provider unwrapped() {
        return provider;
    }

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public String version() {
        return provider.version();
    }

    @Override
    public Optional<LockedTurn> fetchOrchestrationItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable DispatcherCapabilityFilter filter) {
        announcer.catchUp();
        return provider.fetchOrchestrationItem(lockTimeout, pollTimeout, filter);
    }

    @Override
    public void ackOrchestrationItem(TurnAck ack) {
        provider.ackOrchestrationItem(ack);
    }

    @Override
    public void abandonOrchestrationItem(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
        provider.abandonOrchestrationItem(lockToken, delay, ignoreAttempt);
    }

    @Override
    public void renewOrchestrationItemLock(String lockToken, Duration extendFor) {
        provider.renewOrchestrationItemLock(lockToken, extendFor);
    }

    @Override
    public List<HistoryEvent> read(String instance) {
        return provider.read(instance);
    }

    @Override
    public List<HistoryEvent> readWithExecution(String instance, long executionId) {
        return provider.readWithExecution(instance, executionId);
    }

    @Override
    public void appendWithExecution(String instance, long executionId, List<HistoryEvent> events) {
        provider.appendWithExecution(instance, executionId, events);
    }

    @Override
    public void enqueueForOrchestrator(WorkItem item, @Nullable Duration delay) {
        provider.enqueueForOrchestrator(item, delay);
    }

    @Override
    public void enqueueForWorker(WorkItem item) {
        provider.enqueueForWorker(item);
    }

    @Override
    public Optional<LockedWorkItem> fetchWorkItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tagFilter) {
        announcer.catchUp();
        if (isByHand) {
            return untilDelivered(() -> provider.fetchWorkItem(lockTimeout, pollTimeout, session, tagFilter));
        }
        // Activities come to a worker that waits.
        boolean isWaiting = announcer.hasActivities() && pollTimeout.compareTo(DELIVERY) < 0;
        return provider.fetchWorkItem(lockTimeout, isWaiting ? DELIVERY : pollTimeout, session, tagFilter);
    }

    /** A fetch that ends with nothing says that a worker is free. */
    private Optional<LockedWorkItem> untilDelivered(Supplier<Optional<LockedWorkItem>> fetch) {
        Optional<LockedWorkItem> item = fetch.get();
        while (item.isEmpty() && announcer.deliverNow()) {
            item = fetch.get();
        }
        return item;
    }

    @Override
    public void ackWorkItem(String lockToken, @Nullable WorkItem completion) {
        provider.ackWorkItem(lockToken, completion);
    }

    @Override
    public void renewWorkItemLock(String lockToken, Duration extendFor) {
        provider.renewWorkItemLock(lockToken, extendFor);
    }

    @Override
    public void abandonWorkItem(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
        provider.abandonWorkItem(lockToken, delay, ignoreAttempt);
    }

    @Override
    public int renewSessionLock(List<String> ownerIds, Duration extendFor, Duration idleTimeout) {
        return provider.renewSessionLock(ownerIds, extendFor, idleTimeout);
    }

    @Override
    public int cleanupOrphanedSessions(Duration idleTimeout) {
        return provider.cleanupOrphanedSessions(idleTimeout);
    }

    @Override
    public Optional<CustomStatus> getCustomStatus(String instance, long lastSeenVersion) {
        return provider.getCustomStatus(instance, lastSeenVersion);
    }

    @Override
    public Optional<String> getKvValue(String instance, String key) {
        return provider.getKvValue(instance, key);
    }

    @Override
    public Map<String, String> getKvAllValues(String instance) {
        return provider.getKvAllValues(instance);
    }

    @Override
    public Optional<InstanceStats> getInstanceStats(String instance) {
        return provider.getInstanceStats(instance);
    }

    @Override
    public Optional<ProviderAdmin> asManagementCapability() {
        return provider.asManagementCapability();
    }
}
