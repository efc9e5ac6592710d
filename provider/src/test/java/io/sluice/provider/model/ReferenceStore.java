package io.sluice.provider.model;

import io.sluice.provider.CustomStatus;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.InstanceStats;
import io.sluice.provider.KvEntry;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.ProviderException;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import io.sluice.provider.model.Model.Activity;
import io.sluice.provider.model.Model.Beginning;
import io.sluice.provider.model.Model.Execution;
import io.sluice.provider.model.Model.Instance;
import io.sluice.provider.model.Model.Lock;
import io.sluice.provider.model.Model.Message;
import io.sluice.provider.model.Model.Session;
import io.sluice.provider.model.Model.SessionKey;
import io.sluice.provider.work.WorkItem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The contract's core operations over a {@link Model}, each as the contract's prose has it and nothing more: one after the other, no fetch waits. Thread-safe. */
final class ReferenceStore implements Provider {
    private static final Set<String> ENDS = Set.of("Completed", "Failed", "ContinuedAsNew");

    private final Model model = new Model();
    private final InstantSource clock;
    private final ProviderAdmin admin;
    private long tokens;

    ReferenceStore(InstantSource clock) {
        this.clock = clock;
        this.admin = new ReferenceAdmin(this, model, clock);
    }

    private String nextToken() {
        return "token-" + ++tokens;
    }

    static ProviderException refused(String operation, String why) {
        return ProviderException.permanent(operation, why);
    }

    private boolean isLocked(String instance) {
        var lock = model.locks.get(instance);
        return lock != null && lock.until > clock.millis();
    }

    /** The messages of an instance that may be fetched now, in order. */
    private List<Message> visible(String instance) {
        return model.messages.stream()
                .filter(message ->
                        message.item.routedInstance().equals(instance) && message.visibleAt <= clock.millis())
                .toList();
    }

    @Override
    public synchronized Optional<LockedTurn> fetchOrchestrationItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable DispatcherCapabilityFilter filter) {
        return fetchTurn(lockTimeout, filter, id -> true);
    }

    /** The same, of the chosen instances: which of several that are ready is fetched, the contract leaves open. */
    synchronized Optional<LockedTurn> fetchTurn(
            Duration lockTimeout, @Nullable DispatcherCapabilityFilter filter, Predicate<String> chosen) {
        if (filter != null && filter.supportedDuroxideVersions().isEmpty()) {
            return Optional.empty();
        }
        for (var message : List.copyOf(model.messages)) {
            var instance = message.item.routedInstance();
            if (chosen.test(instance)
                    && message.visibleAt <= clock.millis()
                    && !isLocked(instance)
                    && isCompatible(instance, filter)) {
                var turn = lock(instance, lockTimeout);
                if (turn.isPresent()) {
                    return turn;
                }
            }
        }
        return Optional.empty();
    }

    /** The instances of which any fetch may give a turn now, whose oldest message is the oldest first. */
    synchronized List<String> ready(@Nullable DispatcherCapabilityFilter filter) {
        if (filter != null && filter.supportedDuroxideVersions().isEmpty()) {
            return List.of();
        }
        return free().filter(id -> isCompatible(id, filter) && !waitsForItsStart(id, visible(id)))
                .toList();
    }

    /** The instances that never started and have nothing but messages of queues, which any fetch that meets them drops. */
    synchronized List<String> orphans() {
        return free().filter(id -> waitsForItsStart(id, visible(id)) && areOrphans(visible(id)))
                .toList();
    }

    /** A fetch met the orphans. */
    synchronized void dropOrphans(String id) {
        model.messages.removeAll(visible(id));
    }

    /** Whether it was ever acked. */
    synchronized boolean isStored(String id) {
        return model.instances.containsKey(id);
    }

    /** All messages of an instance, seen or unseen. */
    synchronized int messages(String id) {
        return (int) model.messages.stream()
                .filter(message -> message.item.routedInstance().equals(id))
                .count();
    }

    /** The instances that have visible messages and no lock. */
    private Stream<String> free() {
        return model.messages.stream()
                .filter(message -> message.visibleAt <= clock.millis())
                .map(message -> message.item.routedInstance())
                .filter(id -> !isLocked(id))
                .distinct();
    }

    private boolean waitsForItsStart(String id, List<Message> batch) {
        return !model.instances.containsKey(id) && Beginning.in(batch) == null;
    }

    private static boolean areOrphans(List<Message> batch) {
        return batch.stream().allMatch(message -> message.item instanceof WorkItem.QueueMessage);
    }

    private boolean isCompatible(String id, @Nullable DispatcherCapabilityFilter filter) {
        var instance = model.instances.get(id);
        return filter == null || instance == null || filter.accepts(instance.execution().pinned);
    }

    private Optional<LockedTurn> lock(String id, Duration lockTimeout) {
        var batch = visible(id);
        var instance = model.instances.get(id);
        var beginning = Beginning.in(batch);
        if (waitsForItsStart(id, batch)) {
            if (areOrphans(batch)) {
                model.messages.removeAll(batch);
            }
            return Optional.empty();
        }
        var earlier = model.locks.get(id);
        var token = nextToken();
        long since = earlier == null ? clock.millis() : earlier.since;
        model.locks.put(id, new Lock(token, since, clock.millis(), clock.millis() + lockTimeout.toMillis()));
        model.messages.stream()
                .filter(message -> message.item.routedInstance().equals(id))
                .forEach(message -> message.token = null);
        batch.forEach(message -> {
            message.token = token;
            message.attempts++;
        });
        int attempts =
                batch.stream().mapToInt(message -> message.attempts).max().orElse(0);
        return Optional.of(new LockedTurn(item(id, instance, beginning, batch), token, attempts));
    }

    private static OrchestrationItem item(
            String id, @Nullable Instance instance, @Nullable Beginning beginning, List<Message> batch) {
        var messages = batch.stream().map(message -> message.item).toList();
        var name = beginning == null ? "" : beginning.name();
        var version = beginning == null || beginning.version() == null ? "unknown" : beginning.version();
        if (instance == null) {
            return new OrchestrationItem(id, name, 1, version, List.of(), messages, null, Map.of());
        }
        var execution = instance.execution();
        var history = execution.corrupt ? List.<HistoryEvent>of() : List.copyOf(execution.events.values());
        return new OrchestrationItem(
                id,
                instance.name.isEmpty() ? nameIn(history, name) : instance.name,
                instance.current,
                instance.version.isEmpty() ? version : instance.version,
                history,
                messages,
                execution.corrupt ? "it can't be decoded" : null,
                instance.values);
    }

    private static String nameIn(List<HistoryEvent> history, String otherwise) {
        return !history.isEmpty() && history.get(0).kind() instanceof EventKind.OrchestrationStarted started
                ? started.name()
                : otherwise;
    }

    /** The instance whose valid lock bears the token. */
    private String held(String operation, String token) {
        return model.locks.entrySet().stream()
                .filter(lock -> lock.getValue().token.equals(token) && lock.getValue().until > clock.millis())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> refused(operation, "Invalid lock token"));
    }

    @Override
    public synchronized void ackOrchestrationItem(TurnAck ack) {
        var id = held("ackOrchestrationItem", ack.lockToken());
        var known = model.instances.get(id);
        var stored = known == null ? null : known.executions.get(ack.executionId());
        if (stored != null) {
            for (var event : ack.historyDelta()) {
                if (stored.events.containsKey(event.eventId())) {
                    throw refused("ackOrchestrationItem", "an event has a duplicate id: " + event.eventId());
                }
            }
        }
        var lock = Objects.requireNonNull(model.locks.get(id));
        var instance = model.instances.computeIfAbsent(id, unused -> new Instance(lock.since));
        boolean created = known == null;
        advance(instance, ack, created, Beginning.in(visible(id)));
        ack.workerItems().forEach(this::enqueueForWorker);
        model.activities.removeIf(activity -> ack.cancelledActivities()
                .contains(new ScheduledActivityIdentifier(
                        activity.item.instance(), activity.item.executionId(), activity.item.id())));
        model.messages.removeIf(message -> ack.lockToken().equals(message.token));
        for (var item : ack.orchestratorItems()) {
            long now = clock.millis();
            long visibleAt = item instanceof WorkItem.TimerFired timer ? Math.max(now, timer.fireAtMillis()) : now;
            model.messages.add(new Message(item, visibleAt));
        }
        model.locks.remove(id);
    }

    private void advance(Instance instance, TurnAck ack, boolean created, @Nullable Beginning beginning) {
        var metadata = ack.metadata();
        if (created && beginning != null) {
            instance.name = beginning.name();
            instance.version = beginning.version() == null ? "" : beginning.version();
        }
        if (metadata.orchestrationName() != null) {
            instance.name = metadata.orchestrationName();
        }
        if (metadata.orchestrationVersion() != null) {
            instance.version = metadata.orchestrationVersion();
        }
        if (created) {
            instance.parent = metadata.parentInstanceId();
        }
        instance.current = Math.max(instance.current, ack.executionId());
        var execution = instance.executions.computeIfAbsent(ack.executionId(), id -> new Execution(clock.millis()));
        ack.historyDelta().forEach(event -> execution.events.put(event.eventId(), event));
        if (metadata.pinnedDuroxideVersion() != null) {
            execution.pinned = metadata.pinnedDuroxideVersion();
        }
        boolean statusChanged = false;
        for (var event : ack.historyDelta()) {
            if (event.kind() instanceof EventKind.CustomStatusUpdated updated) {
                instance.customStatus = updated.status();
                statusChanged = true;
            }
            change(instance, event);
        }
        instance.customStatusVersion += statusChanged ? 1 : 0;
        var status = metadata.status();
        if (status != null) {
            execution.status = status;
            execution.output = metadata.output();
            if (ENDS.contains(status)) {
                execution.completedAt = clock.millis();
                settle(instance);
            }
        }
        instance.updatedAt = clock.millis();
    }

    private static void change(Instance instance, HistoryEvent event) {
        if (event.kind() instanceof EventKind.KeyValueSet set) {
            instance.changes.put(set.key(), Optional.of(new KvEntry(set.value(), set.lastUpdatedAtMillis())));
        } else if (event.kind() instanceof EventKind.KeyValueCleared cleared) {
            instance.changes.put(cleared.key(), Optional.empty());
        } else if (event.kind() instanceof EventKind.KeyValuesCleared) {
            instance.changes.replaceAll((key, entry) -> Optional.empty());
            instance.values.keySet().forEach(key -> instance.changes.put(key, Optional.empty()));
        }
    }

    private static void settle(Instance instance) {
        instance.changes.forEach((key, entry) -> {
            if (entry.isPresent()) {
                instance.values.put(key, entry.get());
            } else {
                instance.values.remove(key);
            }
        });
        instance.changes.clear();
    }

    @Override
    public synchronized void abandonOrchestrationItem(String token, @Nullable Duration delay, boolean ignoreAttempt) {
        var id = model.locks.entrySet().stream()
                .filter(lock -> lock.getValue().token.equals(token))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> refused("abandonOrchestrationItem", "Invalid lock token"));
        release(id);
        model.messages.stream()
                .filter(message -> token.equals(message.token))
                .forEach(message -> giveBack(message, delay, ignoreAttempt));
    }

    /** What is there of an instance before its first ack goes when the fetch that made it gives the turn back; it stays when that lock lapsed. */
    private void release(String id) {
        var lock = Objects.requireNonNull(model.locks.remove(id));
        if (lock.since < lock.taken) {
            model.locks.put(id, new Lock("", lock.since, lock.since, 0));
        }
    }

    private void giveBack(Model.Queued queued, @Nullable Duration delay, boolean ignoreAttempt) {
        queued.token = null;
        if (delay != null) {
            queued.visibleAt = clock.millis() + delay.toMillis();
        }
        if (ignoreAttempt) {
            queued.attempts = Math.max(0, queued.attempts - 1);
        }
    }

    @Override
    public synchronized void renewOrchestrationItemLock(String token, Duration extendFor) {
        var id = held("renewOrchestrationItemLock", token);
        Objects.requireNonNull(model.locks.get(id)).until = clock.millis() + extendFor.toMillis();
    }

    @Override
    public synchronized List<HistoryEvent> read(String id) {
        var instance = model.instances.get(id);
        return instance == null ? List.of() : readWithExecution(id, instance.current);
    }

    @Override
    public synchronized List<HistoryEvent> readWithExecution(String id, long executionId) {
        var instance = model.instances.get(id);
        var execution = instance == null ? null : instance.executions.get(executionId);
        if (execution != null && execution.corrupt) {
            throw refused("read", "the history can't be decoded");
        }
        return execution == null ? List.of() : List.copyOf(execution.events.values());
    }

    @Override
    public synchronized void appendWithExecution(String id, long executionId, List<HistoryEvent> events) {
        var instance = model.instances.computeIfAbsent(id, unused -> new Instance(clock.millis()));
        var execution = instance.executions.computeIfAbsent(executionId, unused -> new Execution(clock.millis()));
        for (var event : events) {
            if (execution.events.containsKey(event.eventId())) {
                throw refused("appendWithExecution", "an event has a duplicate id: " + event.eventId());
            }
        }
        instance.current = Math.max(instance.current, executionId);
        events.forEach(event -> execution.events.put(event.eventId(), event));
    }

    @Override
    public synchronized void enqueueForOrchestrator(WorkItem item, @Nullable Duration delay) {
        model.messages.add(new Message(item, clock.millis() + (delay == null ? 0 : delay.toMillis())));
    }

    @Override
    public synchronized void enqueueForWorker(WorkItem item) {
        model.activities.add(new Activity((WorkItem.ActivityExecute) item, clock.millis()));
    }

    @Override
    public synchronized Optional<LockedWorkItem> fetchWorkItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tagFilter) {
        return fetchWork(lockTimeout, session, tagFilter, item -> true);
    }

    /** The activities of which any fetch may give one now, the oldest first. */
    synchronized List<WorkItem.ActivityExecute> ready(@Nullable SessionFetchConfig session, TagFilter tagFilter) {
        return model.activities.stream()
                .filter(activity -> isFree(activity, tagFilter) && isEligible(activity, session))
                .map(activity -> activity.item)
                .toList();
    }

    /** What is queued of an instance's activities, held or not. */
    synchronized List<WorkItem.ActivityExecute> activities(String id) {
        return model.activities.stream()
                .map(activity -> activity.item)
                .filter(item -> item.instance().equals(id))
                .toList();
    }

    private boolean isFree(Activity activity, TagFilter tagFilter) {
        long now = clock.millis();
        return activity.visibleAt <= now && activity.lockedUntil <= now && tagFilter.matches(activity.item.tag());
    }

    /** A fetch of one of the chosen activities. */
    synchronized Optional<LockedWorkItem> fetchWork(
            Duration lockTimeout,
            @Nullable SessionFetchConfig session,
            TagFilter tagFilter,
            Predicate<WorkItem.ActivityExecute> chosen) {
        long now = clock.millis();
        for (var activity : model.activities) {
            if (chosen.test(activity.item) && isFree(activity, tagFilter) && isEligible(activity, session)) {
                activity.token = nextToken();
                activity.lockedUntil = now + lockTimeout.toMillis();
                activity.attempts++;
                var name = activity.item.sessionId();
                if (name != null && session != null) {
                    var claimed = model.sessions.computeIfAbsent(
                            new SessionKey(activity.item.instance(), name), key -> new Session(session.ownerId()));
                    claimed.owner = session.ownerId();
                    claimed.lockedUntil = now + session.lockTimeout().toMillis();
                    claimed.lastActivity = now;
                }
                return Optional.of(new LockedWorkItem(activity.item, activity.token, activity.attempts));
            }
        }
        return Optional.empty();
    }

    private boolean isEligible(Activity activity, @Nullable SessionFetchConfig config) {
        var name = activity.item.sessionId();
        if (name == null) {
            return true;
        }
        var session = model.sessions.get(new SessionKey(activity.item.instance(), name));
        return config != null
                && (session == null || session.lockedUntil <= clock.millis() || session.owner.equals(config.ownerId()));
    }

    private Activity bearing(String operation, String token, boolean valid) {
        return model.activities.stream()
                .filter(activity -> token.equals(activity.token) && (!valid || activity.lockedUntil > clock.millis()))
                .findFirst()
                .orElseThrow(() -> refused(operation, "Invalid lock token"));
    }

    private void touch(Activity activity) {
        var name = activity.item.sessionId();
        var session = name == null ? null : model.sessions.get(new SessionKey(activity.item.instance(), name));
        if (session != null && session.lockedUntil > clock.millis()) {
            session.lastActivity = clock.millis();
        }
    }

    @Override
    public synchronized void ackWorkItem(String token, @Nullable WorkItem completion) {
        var activity = bearing("ackWorkItem", token, true);
        model.activities.remove(activity);
        touch(activity);
        if (completion != null) {
            enqueueForOrchestrator(completion, null);
        }
    }

    @Override
    public synchronized void renewWorkItemLock(String token, Duration extendFor) {
        var activity = bearing("renewWorkItemLock", token, true);
        activity.lockedUntil = clock.millis() + extendFor.toMillis();
        touch(activity);
    }

    @Override
    public synchronized void abandonWorkItem(String token, @Nullable Duration delay, boolean ignoreAttempt) {
        var activity = bearing("abandonWorkItem", token, false);
        activity.lockedUntil = 0;
        giveBack(activity, delay, ignoreAttempt);
    }

    @Override
    public synchronized int renewSessionLock(List<String> owners, Duration extendFor, Duration idleTimeout) {
        long now = clock.millis();
        int renewed = 0;
        for (var session : model.sessions.values()) {
            if (owners.contains(session.owner)
                    && session.lockedUntil > now
                    && session.lastActivity > now - idleTimeout.toMillis()) {
                session.lockedUntil = now + extendFor.toMillis();
                renewed++;
            }
        }
        return renewed;
    }

    @Override
    public synchronized int cleanupOrphanedSessions(Duration idleTimeout) {
        int before = model.sessions.size();
        model.sessions
                .entrySet()
                .removeIf(session -> session.getValue().lockedUntil < clock.millis()
                        && model.activities.stream()
                                .noneMatch(activity -> activity.item
                                                .instance()
                                                .equals(session.getKey().instance())
                                        && session.getKey().session().equals(activity.item.sessionId())));
        return before - model.sessions.size();
    }

    @Override
    public synchronized Optional<CustomStatus> getCustomStatus(String id, long lastSeenVersion) {
        var instance = model.instances.get(id);
        return instance == null || instance.customStatusVersion <= lastSeenVersion
                ? Optional.empty()
                : Optional.of(new CustomStatus(instance.customStatus, instance.customStatusVersion));
    }

    @Override
    public synchronized Optional<String> getKvValue(String id, String key) {
        return Optional.ofNullable(getKvAllValues(id).get(key));
    }

    @Override
    public synchronized Map<String, String> getKvAllValues(String id) {
        var instance = model.instances.get(id);
        return instance == null ? new TreeMap<>() : instance.merged();
    }

    @Override
    public synchronized Optional<InstanceStats> getInstanceStats(String id) {
        var instance = model.instances.get(id);
        if (instance == null) {
            return Optional.empty();
        }
        var events = new ArrayList<>(instance.execution().events.values());
        long size = events.stream()
                .mapToLong(event -> bytes(HistoryJson.encode(event)))
                .sum();
        var first = events.isEmpty() ? null : events.get(0).kind();
        long carried = first instanceof EventKind.OrchestrationStarted started && started.carryForwardEvents() != null
                ? Objects.requireNonNull(started.carryForwardEvents()).size()
                : 0;
        var merged = instance.merged();
        long valueBytes =
                merged.values().stream().mapToLong(ReferenceStore::bytes).sum();
        return Optional.of(new InstanceStats(events.size(), size, carried, merged.size(), valueBytes));
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public Optional<ProviderAdmin> asManagementCapability() {
        return Optional.of(admin);
    }

    /** Makes all events of an instance undecodable. */
    synchronized void corrupt(String id) {
        var instance = model.instances.get(id);
        if (instance != null) {
            instance.executions.values().forEach(execution -> execution.corrupt = true);
        }
    }

    synchronized int maxAttempts(String id) {
        return model.messages.stream()
                .filter(message -> message.item.routedInstance().equals(id))
                .mapToInt(message -> message.attempts)
                .max()
                .orElse(0);
    }
}
