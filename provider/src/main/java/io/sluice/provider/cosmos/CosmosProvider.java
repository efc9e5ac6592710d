package io.sluice.provider.cosmos;

import io.sluice.provider.CustomStatus;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.InstanceStats;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.cosmos.activity.Activities;
import io.sluice.provider.cosmos.admin.CosmosAdmin;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.QueueDocuments;
import io.sluice.provider.cosmos.document.TimeOrderedIds;
import io.sluice.provider.cosmos.request.BatchWrite;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.Failures;
import io.sluice.provider.cosmos.request.WriteOutcome;
import io.sluice.provider.cosmos.turn.TurnSettings;
import io.sluice.provider.cosmos.turn.Turns;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The contract over one Cosmos container. Everything an instance owns lies in its partition; a turn is one transactional batch there. Thread-safe.
 *
 * <pre>{@code
 * try (CosmosProvider provider = CosmosProvider.builder()
 *         .config(CosmosStoreConfig.fromEnvironment(System.getenv()))
 *         .build()) {
 *     Optional<LockedTurn> turn = provider.fetchOrchestrationItem(Duration.ofSeconds(5), Duration.ofSeconds(30), null);
 * }
 * }</pre>
 */
public final class CosmosProvider implements Provider, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final CosmosStore store;
    private final boolean ownsStore;
    private final InstantSource clock;
    private final ContainerRequests requests;
    private final TimeOrderedIds ids = new TimeOrderedIds();
    private final Activities activities;
    private final Turns turns;
    private final CosmosAdmin admin;

    private CosmosProvider(Builder builder, CosmosStore store, boolean ownsStore) {
        this.store = store;
        this.ownsStore = ownsStore;
        this.clock = builder.clock;
        this.requests = new ContainerRequests(store.container());
        TurnSettings settings = new TurnSettings(builder.immediateDelivery, builder.fleet == Fleet.MIXED);
        this.activities = new Activities(new Activities.Wiring(requests, ids, settings.intentStatus(), clock));
        this.turns = new Turns(
                new Turns.Wiring(requests, new IntentOutbox(requests, clock), ids, settings, activities::wake, clock));
        this.admin = new CosmosAdmin(new CosmosAdmin.Wiring(requests, turns, clock));
    }

    /** The way in. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String name() {
        return "sluice-cosmos";
    }

    @Override
    public String version() {
        return Objects.requireNonNullElse(CosmosProvider.class.getPackage().getImplementationVersion(), "0.1.0");
    }

    @Override
    public Optional<LockedTurn> fetchOrchestrationItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable DispatcherCapabilityFilter filter) {
        return turns.fetch(lockTimeout, pollTimeout, filter);
    }

    @Override
    public void ackOrchestrationItem(TurnAck ack) {
        turns.ack(ack);
    }

    @Override
    public void abandonOrchestrationItem(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
        turns.abandon(lockToken, delay, ignoreAttempt);
    }

    @Override
    public void renewOrchestrationItemLock(String lockToken, Duration extendFor) {
        turns.renew(lockToken, extendFor);
    }

    @Override
    public List<HistoryEvent> read(String instance) {
        return turns.read(instance);
    }

    @Override
    public List<HistoryEvent> readWithExecution(String instance, long executionId) {
        return turns.readWithExecution(instance, executionId);
    }

    @Override
    public void appendWithExecution(String instance, long executionId, List<HistoryEvent> events) {
        turns.append(instance, executionId, events);
    }

    @Override
    public void enqueueForOrchestrator(WorkItem item, @Nullable Duration delay) {
        String operation = "enqueueForOrchestrator";
        long now = clock.millis();
        long visibleAt = delay == null ? now : now + delay.toMillis();
        enqueue(operation, QueueDocuments.message(operation, ids.next(now), item, now, visibleAt));
        if (item instanceof WorkItem.StartOrchestration) {
            turns.feeds().startFor(item.routedInstance());
        }
        turns.feeds().messageFor(visibleAt);
    }

    @Override
    public void enqueueForWorker(WorkItem item) {
        String operation = "enqueueForWorker";
        long now = clock.millis();
        enqueue(operation, QueueDocuments.activity(operation, ids.next(now), item, now));
        activities.wake();
    }

    private void enqueue(String operation, QueueDocument document) {
        Call call = Call.onInstance(operation, document.instanceId(), PATIENCE);
        List<BatchWrite> create = List.of(new BatchWrite.Create(document.toJson()));
        WriteOutcome outcome = requests.batchPatiently(call, document.instanceId(), create);
        if (outcome instanceof WriteOutcome.Ambiguous) {
            // The id is ours alone: a repetition finds the document of the first try, unless it was consumed already.
            outcome = requests.batchPatiently(call, document.instanceId(), create);
        }
        if (!outcome.isCommitted() && !(outcome instanceof WriteOutcome.Conflict)) {
            throw Failures.of(call, outcome);
        }
    }

    @Override
    public Optional<LockedWorkItem> fetchWorkItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tagFilter) {
        return activities.fetch(lockTimeout, pollTimeout, session, tagFilter);
    }

    @Override
    public void ackWorkItem(String lockToken, @Nullable WorkItem completion) {
        activities.ack(lockToken, completion);
        if (completion != null) {
            turns.feeds().messageFor(clock.millis());
        }
    }

    @Override
    public void renewWorkItemLock(String lockToken, Duration extendFor) {
        activities.renew(lockToken, extendFor);
    }

    @Override
    public void abandonWorkItem(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
        activities.abandon(lockToken, delay, ignoreAttempt);
    }

    @Override
    public int renewSessionLock(List<String> ownerIds, Duration extendFor, Duration idleTimeout) {
        return activities.renewSessions(ownerIds, extendFor, idleTimeout);
    }

    @Override
    public int cleanupOrphanedSessions(Duration idleTimeout) {
        return activities.cleanUpSessions();
    }

    @Override
    public Optional<CustomStatus> getCustomStatus(String instance, long lastSeenVersion) {
        return turns.instance("getCustomStatus", instance)
                .filter(document -> document.customStatusVersion() > lastSeenVersion)
                .map(CosmosProvider::customStatus);
    }

    private static CustomStatus customStatus(InstanceDocument document) {
        return new CustomStatus(document.customStatus(), document.customStatusVersion());
    }

    @Override
    public Optional<String> getKvValue(String instance, String key) {
        return Optional.ofNullable(
                turns.keyValues("getKvValue", instance).merged().get(key));
    }

    @Override
    public Map<String, String> getKvAllValues(String instance) {
        return turns.keyValues("getKvAllValues", instance).merged();
    }

    @Override
    public Optional<InstanceStats> getInstanceStats(String instance) {
        return turns.stats(instance);
    }

    @Override
    public Optional<ProviderAdmin> asManagementCapability() {
        return Optional.of(admin);
    }

    /** Closes the store, if this provider opened it. */
    @Override
    public void close() {
        if (ownsStore) {
            store.close();
        }
    }

    /** Collects what a provider needs; either a store or a config. */
    public static final class Builder {
        private @Nullable CosmosStore store;
        private @Nullable CosmosStoreConfig config;
        private boolean immediateDelivery = true;
        private Fleet fleet = Fleet.SLUICE;
        private InstantSource clock = InstantSource.system();

        private Builder() {}

        /** Works on an opened store, which stays the caller's to close. */
        public Builder store(CosmosStore openStore) {
            this.store = openStore;
            return this;
        }

        /** Opens a store of its own, and closes it with the provider. */
        public Builder config(CosmosStoreConfig storeConfig) {
            this.config = storeConfig;
            return this;
        }

        /** Whether an ack tries to deliver to other partitions itself (the default), or leaves that to the relay. */
        public Builder immediateDelivery(boolean enabled) {
            this.immediateDelivery = enabled;
            return this;
        }

        /** Who else works on the store; {@link Fleet#SLUICE} by default. */
        public Builder fleet(Fleet whoElse) {
            this.fleet = whoElse;
            return this;
        }

        /** Where the time comes from; the system by default. */
        public Builder clock(InstantSource source) {
            this.clock = source;
            return this;
        }

        /**
         * Opens the store if need be.
         *
         * @throws ProviderException naming the place and the remedy when the store can't be opened
         * @throws IllegalStateException when neither or both of store and config were given
         */
        public CosmosProvider build() {
            CosmosStore given = store;
            CosmosStoreConfig toOpen = config;
            if (given != null && toOpen == null) {
                return new CosmosProvider(this, given, false);
            }
            if (toOpen != null && given == null) {
                return new CosmosProvider(this, CosmosStore.open(toOpen), true);
            }
            throw new IllegalStateException("give the provider either a store or a config");
        }
    }
}
