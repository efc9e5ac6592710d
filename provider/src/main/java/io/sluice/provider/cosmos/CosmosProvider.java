package io.sluice.provider.cosmos;

import io.sluice.provider.CustomStatus;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.EarlyMessages;
import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceStarts;
import io.sluice.provider.InstanceStats;
import io.sluice.provider.InstanceTurns;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.announcement.WorkFeed;
import io.sluice.provider.cosmos.activity.Activities;
import io.sluice.provider.cosmos.activity.ActivityCompletions;
import io.sluice.provider.cosmos.activity.SessionSettings;
import io.sluice.provider.cosmos.activity.WorkerDesk;
import io.sluice.provider.cosmos.admin.CosmosAdmin;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.deletion.HistoryGate;
import io.sluice.provider.cosmos.search.SearchTiming;
import io.sluice.provider.cosmos.slot.SlotSharing;
import io.sluice.provider.cosmos.turn.Turns;
import io.sluice.provider.cosmos.turn.ack.AckPlanner;
import io.sluice.provider.cosmos.turn.ack.TurnSettings;
import io.sluice.provider.cosmos.turn.work.Clocks;
import io.sluice.provider.cosmos.turn.work.TurnDesk;
import io.sluice.provider.cosmos.turn.work.TurnQueue;
import io.sluice.provider.cosmos.waiting.SharedWaitingWork;
import io.sluice.provider.cosmos.work.desk.StoreFeed;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.QueueDocuments;
import io.sluice.provider.document.Stored;
import io.sluice.provider.document.TimeOrderedIds;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.outbox.PublishedPrefix;
import io.sluice.provider.outbox.PurgeMarkers;
import io.sluice.provider.outbox.StartLimit;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.Operations;
import io.sluice.provider.work.WaitingWorkReader;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The contract over one Cosmos container. Everything an instance owns lies in its partition; a turn is one
 * transactional batch there. Thread-safe.
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
    private static final Logger LOG = LoggerFactory.getLogger(CosmosProvider.class);
    /** Longer than any one request is waited for. */
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final CosmosStore store;
    private final boolean ownsStore;
    private final InstantSource clock;
    private final Operations operations;
    private final ContainerRequests requests;
    private final Runnable removeGauges;
    private final PublishedPrefix prefix;
    private final TimeOrderedIds ids;
    private final Clocks clocks;
    private final SlotSharing slots;
    private final @Nullable WorkFeed workFeed;
    private final Enqueuing enqueuing;
    private final Activities activities;
    private final Turns turns;
    private final CosmosAdmin admin;
    private final CosmosStarts starts;
    private final CosmosEarlyMessages earlyMessages;
    private final @Nullable BackgroundTask reconciler;

    CosmosProvider(CosmosProviderBuilder builder, CosmosStore store, boolean ownsStore) {
        this.store = store;
        this.ownsStore = ownsStore;
        this.clock = builder.clock(store);
        this.operations = builder.operations();
        this.requests = builder.requests(store);
        this.removeGauges = builder.gauges(store);
        TurnSettings settings = builder.turnSettings();
        LongSupplier nanoTime = builder.environment().nanoTime();
        this.clocks = new Clocks(clock, store.clock(), nanoTime);
        this.ids = new TimeOrderedIds(builder.environment().random());
        this.enqueuing = new Enqueuing(requests, builder.enqueueTimeout());
        this.workFeed = builder.workFeed();
        StoreFeed announcements = workFeed == null ? null : new StoreFeed(workFeed, store.workStore());
        this.slots = new SlotSharing(
                requests, builder.slotSettings(), clock, builder.environment().background(), ids.next(clock.millis()));
        SearchTiming timing = new SearchTiming(nanoTime, builder.searchIntervals());
        this.activities = new Activities(
                requests,
                new WorkerDesk(requests, slots, announcements, clock, timing),
                new ActivityCompletions(ids, settings.intentStatus(), clock),
                new SessionSettings(
                        settings.pairsAtOnce(), builder.environment().random()),
                clock);
        IntentOutbox outbox = new IntentOutbox(requests, clock);
        this.prefix = new PublishedPrefix(requests, store.workStore().rid());
        HistoryGate gate = new HistoryGate(new PurgeMarkers(requests, clock), builder.expectedRelay(prefix));
        Deletions deletions =
                new Deletions(requests, outbox, gate, builder.environment().membersAtOnce(), clock);
        TurnQueue queue = new TurnDesk(requests, slots, announcements, clocks, builder.searchIntervals());
        this.turns = new Turns(requests, queue, deletions, new AckPlanner(requests, settings, ids, clock), clock);
        this.admin = new CosmosAdmin(requests, operations, turns, deletions, clock);
        CosmosStarts.Parts parts = new CosmosStarts.Parts(requests, operations, turns, ids);
        this.starts = new CosmosStarts(parts, clock, builder.enqueueTimeout());
        this.earlyMessages = new CosmosEarlyMessages(parts, clock, builder.enqueueTimeout());
        this.reconciler = builder.isReconciling() ? reconciler(builder, outbox) : null;
    }

    private BackgroundTask reconciler(CosmosProviderBuilder builder, IntentOutbox outbox) {
        IntentReconciler intents =
                new IntentReconciler(requests, outbox, builder.isBesideRustWriters(), this::announce, clock);
        return new BackgroundTask("sluice-reconciler", builder.reconcileInterval(), goesOn -> {
            // A store that somebody else closed ends it too.
            if (!store.isClosed()) {
                intents.reconcile(() -> goesOn.getAsBoolean() && !store.isClosed());
            }
            return !store.isClosed();
        });
    }

    private void announce(Intent delivered) {
        if (IntentReconciler.isMessage(delivered)) {
            turns.queue().startFor(delivered.targetInstance());
        } else {
            activities.announce(List.of());
        }
    }

    /** Begins what runs in the background. */
    CosmosProvider start() {
        if (reconciler != null) {
            reconciler.start();
        }
        return this;
    }

    /** The way in. */
    public static CosmosProviderBuilder builder() {
        return new CosmosProviderBuilder();
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
        Duration lock = Arguments.positive("fetchOrchestrationItem", "lockTimeout", lockTimeout);
        Duration poll = Arguments.notNegative("fetchOrchestrationItem", "pollTimeout", pollTimeout);
        return operations.run("fetchOrchestrationItem", () -> returnIfClosed(turns.fetch(lock, poll, filter)));
    }

    /**
     * A turn that was locked while the provider was closed can't be acked any more: others get it at once, rather than
     * when its lock lapses.
     */
    private Optional<LockedTurn> returnIfClosed(Optional<LockedTurn> turn) {
        if (turn.isEmpty() || !operations.isClosed()) {
            return turn;
        }
        turns.abandon(turn.get().lockToken(), null, true);
        return Optional.empty();
    }

    @Override
    public void ackOrchestrationItem(TurnAck ack) {
        Arguments.required("ack", ack);
        List<Stored<QueueDocument>> queued = operations.run("ackOrchestrationItem", () -> turns.ack(ack));
        if (!ack.workerItems().isEmpty()) {
            activities.announce(queued);
        }
    }

    @Override
    public void abandonOrchestrationItem(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
        Arguments.required("lockToken", lockToken);
        Duration wait = Arguments.delay(delay);
        operations.run(
                "abandonOrchestrationItem", () -> turns.abandon(lockToken, delay == null ? null : wait, ignoreAttempt));
    }

    @Override
    public void renewOrchestrationItemLock(String lockToken, Duration extendFor) {
        Arguments.required("lockToken", lockToken);
        Duration extension = Arguments.positive("renewOrchestrationItemLock", "extendFor", extendFor);
        operations.run("renewOrchestrationItemLock", () -> turns.renew(lockToken, extension));
    }

    @Override
    public List<HistoryEvent> read(String instance) {
        Arguments.required("instance", instance);
        return operations.run("read", () -> turns.reads().history(instance));
    }

    @Override
    public List<HistoryEvent> readWithExecution(String instance, long executionId) {
        Arguments.required("instance", instance);
        return operations.run("readWithExecution", () -> turns.reads().history(instance, executionId));
    }

    @Override
    public void appendWithExecution(String instance, long executionId, List<HistoryEvent> events) {
        Arguments.required("instance", instance);
        Arguments.required("events", events);
        operations.run("appendWithExecution", () -> turns.append(instance, executionId, events));
    }

    @Override
    public void enqueueForOrchestrator(WorkItem item, @Nullable Duration delay) {
        enqueueMessage(item, delay, null);
    }

    /**
     * The same under an id of the caller's, so that a caller who got no answer, or was restarted, may repeat the call:
     * the message is queued once.
     *
     * @param requestId unique among what is ever asked of this instance's queue for messages, such as
     *     {@code payment-4711}; remembered for seven days
     * @throws io.sluice.provider.ProviderException retryable when the store gave no answer in time: repeat it with the
     *     same id; permanent, with nothing queued, when the id was used for another item of this instance
     */
    public void enqueueForOrchestrator(WorkItem item, @Nullable Duration delay, String requestId) {
        enqueueMessage(item, delay, Arguments.notEmpty("enqueueForOrchestrator", "requestId", requestId));
    }

    private void enqueueMessage(WorkItem item, @Nullable Duration delay, @Nullable String requestId) {
        String operation = "enqueueForOrchestrator";
        Arguments.message(operation, "item", item);
        long now = clock.millis();
        long visibleAt = now + Arguments.delay(delay).toMillis();
        QueueDocument message = operations.run(operation, () -> {
            QueueDocument queued = QueueDocuments.message(operation, ids.next(now), item, now, visibleAt);
            StartLimit.check(operation, item, queued);
            enqueuing.create(operation, queued, requestId);
            return queued;
        });
        turns.queue().queued(message);
    }

    @Override
    public void enqueueForWorker(WorkItem item) {
        enqueueActivity(item, null);
    }

    /**
     * The same under an id of the caller's, so that a caller who got no answer, or was restarted, may repeat the call:
     * the activity is queued once.
     *
     * @param requestId unique among what is ever asked of this instance's queue for activities; remembered for seven
     *     days
     * @throws io.sluice.provider.ProviderException retryable when the store gave no answer in time: repeat it with the
     *     same id; permanent, with nothing queued, when the id was used for another item of this instance
     */
    public void enqueueForWorker(WorkItem item, String requestId) {
        enqueueActivity(item, Arguments.notEmpty("enqueueForWorker", "requestId", requestId));
    }

    private void enqueueActivity(WorkItem item, @Nullable String requestId) {
        String operation = "enqueueForWorker";
        Arguments.required("item", item);
        long now = clock.millis();
        operations.run(
                operation,
                () -> enqueuing.create(
                        operation, QueueDocuments.activity(operation, ids.next(now), item, now), requestId));
        activities.announce(List.of());
    }

    @Override
    public Optional<LockedWorkItem> fetchWorkItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tagFilter) {
        Duration lock = Arguments.positive("fetchWorkItem", "lockTimeout", lockTimeout);
        Duration poll = Arguments.notNegative("fetchWorkItem", "pollTimeout", pollTimeout);
        SessionFetchConfig claims = Arguments.session("fetchWorkItem", session);
        Arguments.required("tagFilter", tagFilter);
        return operations.run(
                "fetchWorkItem", () -> returnActivityIfClosed(activities.fetch(lock, poll, claims, tagFilter)));
    }

    private Optional<LockedWorkItem> returnActivityIfClosed(Optional<LockedWorkItem> activity) {
        if (activity.isEmpty() || !operations.isClosed()) {
            return activity;
        }
        activities.abandon(activity.get().lockToken(), null, true);
        return Optional.empty();
    }

    @Override
    public void ackWorkItem(String lockToken, @Nullable WorkItem completion) {
        ackActivity(lockToken, null, completion);
    }

    /**
     * The same for a caller who got the token from somebody it does not trust, such as a worker over the network:
     * nothing is written unless the lock is on the activity that the caller names, and the completion is of that one.
     *
     * @throws io.sluice.provider.ProviderException permanent, with nothing written, when the lock is lost or is on
     *     another activity, or the completion is of another one
     */
    public void ackWorkItem(String lockToken, ScheduledActivityIdentifier activity, WorkItem completion) {
        Arguments.required("activity", activity);
        Arguments.required("completion", completion);
        ackActivity(lockToken, activity, completion);
    }

    private void ackActivity(
            String lockToken, @Nullable ScheduledActivityIdentifier named, @Nullable WorkItem completion) {
        Arguments.required("lockToken", lockToken);
        Arguments.completion("ackWorkItem", completion, named);
        Optional<QueueDocument> message =
                operations.run("ackWorkItem", () -> activities.ack(lockToken, named, completion));
        if (completion != null) {
            turns.announceCompletion(completion.routedInstance(), message.orElse(null));
        }
    }

    @Override
    public void renewWorkItemLock(String lockToken, Duration extendFor) {
        Arguments.required("lockToken", lockToken);
        Duration extension = Arguments.positive("renewWorkItemLock", "extendFor", extendFor);
        operations.run("renewWorkItemLock", () -> activities.renew(lockToken, extension));
    }

    @Override
    public void abandonWorkItem(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
        Arguments.required("lockToken", lockToken);
        Duration wait = Arguments.delay(delay);
        operations.run(
                "abandonWorkItem", () -> activities.abandon(lockToken, delay == null ? null : wait, ignoreAttempt));
    }

    @Override
    public int renewSessionLock(List<String> ownerIds, Duration extendFor, Duration idleTimeout) {
        Arguments.strings("renewSessionLock", "ownerIds", ownerIds);
        Duration extension = Arguments.positive("renewSessionLock", "extendFor", extendFor);
        Duration idle = Arguments.notNegative("renewSessionLock", "idleTimeout", idleTimeout);
        return operations.run("renewSessionLock", () -> activities.renewSessions(ownerIds, extension, idle));
    }

    @Override
    public int cleanupOrphanedSessions(Duration idleTimeout) {
        Arguments.notNegative("cleanupOrphanedSessions", "idleTimeout", idleTimeout);
        return operations.run("cleanupOrphanedSessions", activities::cleanUpSessions);
    }

    @Override
    public Optional<CustomStatus> getCustomStatus(String instance, long lastSeenVersion) {
        Arguments.required("instance", instance);
        return operations.run(
                "getCustomStatus",
                () -> turns.reads()
                        .instance("getCustomStatus", instance)
                        .filter(document -> document.customStatusVersion() > lastSeenVersion)
                        .map(CosmosProvider::customStatus));
    }

    private static CustomStatus customStatus(InstanceDocument document) {
        return new CustomStatus(document.customStatus(), document.customStatusVersion());
    }

    @Override
    public Optional<String> getKvValue(String instance, String key) {
        Arguments.required("instance", instance);
        Arguments.text("getKvValue", "key", key);
        return operations.run("getKvValue", () -> turns.reads().keyValue("getKvValue", instance, key));
    }

    @Override
    public Map<String, String> getKvAllValues(String instance) {
        Arguments.required("instance", instance);
        return operations.run(
                "getKvAllValues",
                () -> turns.reads().keyValues("getKvAllValues", instance).merged());
    }

    @Override
    public Optional<InstanceStats> getInstanceStats(String instance) {
        Arguments.required("instance", instance);
        return operations.run("getInstanceStats", () -> turns.reads().stats(instance));
    }

    /**
     * By how much this machine's clock differs from the service's: what has to be added to it. Locks go by the
     * service's time, so nothing breaks; more than a second is worth an administrator's attention, and is logged.
     */
    public Duration clockOffset() {
        return store.clockOffset();
    }

    /**
     * Since when operations of this provider fail, and none succeeds.
     *
     * @param lasting since the first of them began, or since the last success if that was later
     * @param reason the latest failure, in a sentence
     */
    public record StoreFailure(Duration lasting, String reason) {}

    /**
     * Whether the store takes what it is asked, by the operations that have ended: empty from one on that succeeded, or
     * that the store refused for good. One physical partition that does not answer can be all that is asked; an
     * operation on other instances tells. Asks nothing.
     */
    public Optional<StoreFailure> storeFailure() {
        return operations
                .failing()
                .map(failing ->
                        new StoreFailure(Duration.ofNanos(System.nanoTime() - failing.sinceNanos()), failing.reason()));
    }

    /**
     * The prefix of topics under which relays have registered that they publish this container; empty for none. One
     * point read. Whether a relay runs now it does not say.
     *
     * @throws io.sluice.provider.ProviderException retryable when the store gave no answer in time
     */
    public Optional<String> publishedPrefix() {
        String operation = "publishedPrefix";
        return operations.run(operation, () -> prefix.read(Call.onContainer(operation, DRAIN)));
    }

    @Override
    public Optional<ProviderAdmin> asManagementCapability() {
        return Optional.of(admin);
    }

    /** Starts of instances that take effect once per id. */
    public InstanceStarts starts() {
        return starts;
    }

    /** Messages to instances that wait for their first turn. */
    public EarlyMessages earlyMessages() {
        return earlyMessages;
    }

    /** Turns of instances that the caller names. */
    public InstanceTurns instanceTurns() {
        return this::fetchOf;
    }

    private Optional<LockedTurn> fetchOf(String instance, Duration lockTimeout) {
        Arguments.required("instance", instance);
        Duration lock = Arguments.positive("fetchOrchestrationItem", "lockTimeout", lockTimeout);
        return operations.run("fetchOrchestrationItem", () -> returnIfClosed(turns.fetch(instance, lock)));
    }

    /** Queries for instances page by page, from their start on. */
    public InstanceQueries queries() {
        return admin.queries();
    }

    /**
     * Tells what waits in the store to be taken, for operators. Makes no request until it is read.
     *
     * @param interval how old a report may be; all processes on the store should agree, and read once an interval. What
     *     waits for less than a sixth of it is left out
     */
    public WaitingWorkReader waitingWork(Duration interval) {
        return new SharedWaitingWork(requests, operations, ids.next(clock.millis()), clocks, interval);
    }

    /**
     * Ends the provider, and closes the store if this provider opened it. Fetches that wait return nothing at once;
     * what else runs is left up to ten seconds to end. Operations called afterwards fail, permanent, with nothing done.
     * What is locked stays so until its lock lapses. May be called more than once.
     */
    @Override
    public void close() {
        operations.close();
        if (reconciler != null) {
            reconciler.stop();
        }
        turns.queue().close();
        activities.close();
        int running = operations.awaitEnd(DRAIN);
        if (reconciler != null) {
            reconciler.awaitEnd(DRAIN);
        }
        if (running > 0) {
            LOG.atWarn()
                    .addKeyValue("operations", running)
                    .log("the provider was closed while operations were still running");
        }
        if (workFeed != null) {
            workFeed.close();
        }
        removeGauges.run();
        if (!store.isClosed()) {
            slots.leave();
        }
        if (ownsStore) {
            store.close();
        }
    }
}
