package io.sluice.provider.model;

import io.sluice.provider.CustomStatus;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.InstanceStats;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.OrchestrationFilter;
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
import io.sluice.provider.work.WorkItem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The contract's core operations over a {@link Model}, each as the contract's prose has it and nothing more: one after
 * the other, no fetch waits. Thread-safe.
 */
public final class ReferenceStore implements Provider {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final Model model = new Model();
    private static final Duration LONGEST_WAIT = Duration.ofMillis(20);

    private final InstantSource clock;
    private final ReferenceActivities activities;
    private final ProviderAdmin admin;
    private final ReferenceInstances instances;
    private boolean droppingEvents;

    /** An empty one. */
    public ReferenceStore(InstantSource clock) {
        this.clock = clock;
        this.activities = new ReferenceActivities(model, clock);
        this.admin = new ReferenceAdmin(this, model, clock);
        this.instances = new ReferenceInstances(this, model, clock);
    }

    /** Unique starts, and looking for instances. */
    ReferenceInstances instances() {
        return instances;
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
        return looking(pollTimeout, () -> fetchTurn(lockTimeout, filter, id -> true));
    }

    /** Looks again for as long as the caller would wait, but not for long: a loop of fetches costs little. */
    private <T> Optional<T> looking(Duration pollTimeout, Supplier<Optional<T>> fetch) {
        var wait = pollTimeout.compareTo(LONGEST_WAIT) < 0 ? pollTimeout : LONGEST_WAIT;
        var endNanos = System.nanoTime() + (wait.isNegative() ? 0 : wait.toNanos());
        var found = fetch.get();
        while (found.isEmpty() && System.nanoTime() - endNanos < 0) {
            try {
                wait(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return found;
            }
            found = fetch.get();
        }
        return found;
    }

    /** The same, of the chosen instances: which of several that are ready is fetched, the contract leaves open. */
    synchronized Optional<LockedTurn> fetchTurn(
            Duration lockTimeout, @Nullable DispatcherCapabilityFilter filter, Predicate<String> chosen) {
        if (filter != null && filter.acceptsNothing()) {
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

    /** The turn of one instance. */
    synchronized Optional<LockedTurn> fetchTurnOf(String instance, Duration lockTimeout) {
        return fetchTurn(lockTimeout, null, instance::equals);
    }

    /** From now on events to instances that never started are dropped as well. */
    synchronized void dropOrphanEvents() {
        droppingEvents = true;
    }

    /**
     * The same of the instance of which another store gave this turn.
     *
     * @param mayLack whether the other store may leave out what was sent to a new instance before the start that its
     *     turn has: such messages have no promised place, and may come with the second turn
     */
    public synchronized Optional<LockedTurn> fetchTurnLike(
            OrchestrationItem given,
            boolean mayLack,
            Duration lockTimeout,
            @Nullable DispatcherCapabilityFilter filter) {
        var all = List.copyOf(model.messages);
        if (mayLack) {
            model.messages.removeAll(lackedBeforeStart(given));
        }
        var turn = fetchTurn(lockTimeout, filter, given.instance()::equals);
        model.messages.clear();
        model.messages.addAll(all);
        return turn;
    }

    private List<Message> lackedBeforeStart(OrchestrationItem turn) {
        var id = turn.instance();
        var start = turn.messages().stream()
                .filter(WorkItem.StartOrchestration.class::isInstance)
                .findFirst();
        if (start.isEmpty() || isStored(id)) {
            return List.of();
        }
        return visible(id).stream()
                .takeWhile(message -> !message.item.equals(start.get()))
                .filter(message -> !turn.messages().contains(message.item))
                .toList();
    }

    /** The instances of which any fetch may give a turn now, whose oldest message is the oldest first. */
    public synchronized List<String> ready(@Nullable DispatcherCapabilityFilter filter) {
        if (filter != null && filter.acceptsNothing()) {
            return List.of();
        }
        return free().filter(id -> isCompatible(id, filter) && !waitsForItsStart(id, visible(id)))
                .toList();
    }

    /**
     * The instances that never started and have nothing but messages that any fetch which meets them drops.
     */
    public synchronized List<String> orphans() {
        return free().filter(id -> waitsForItsStart(id, visible(id)) && areOrphans(id, visible(id)))
                .toList();
    }

    /** A fetch met the orphans. */
    public synchronized void dropOrphans(String id) {
        model.messages.removeAll(visible(id));
    }

    /** Whether it was ever acked. */
    public synchronized boolean isStored(String id) {
        return model.instances.containsKey(id);
    }

    /** All messages of an instance, seen or unseen. */
    public synchronized int messages(String id) {
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

    /** A start that is put off is one all the same. */
    private boolean areOrphans(String id, List<Message> batch) {
        var all = model.messages.stream()
                .filter(message -> message.item.routedInstance().equals(id))
                .toList();
        return Beginning.in(all) == null
                && batch.stream()
                        .allMatch(message -> message.item instanceof WorkItem.QueueMessage
                                || (droppingEvents && message.item instanceof WorkItem.ExternalRaised));
    }

    private boolean isCompatible(String id, @Nullable DispatcherCapabilityFilter filter) {
        var instance = model.instances.get(id);
        return filter == null
                || ((instance == null || filter.accepts(instance.execution().pinned))
                        && runs(filter.orchestrations(), id, instance));
    }

    private boolean runs(OrchestrationFilter wanted, String id, @Nullable Instance instance) {
        var pending = model.started.get(id);
        if (instance == null && pending != null) {
            return wanted.accepts(pending.name(), pending.version());
        }
        var beginning = Beginning.in(visible(id));
        boolean goesOn = instance != null
                && !instance.name.isEmpty()
                && instance.execution().status.equals("Running");
        if (!goesOn && beginning != null) {
            return wanted.accepts(beginning.name(), Objects.requireNonNullElse(beginning.version(), ""));
        }
        return instance == null || instance.name.isEmpty() || wanted.accepts(instance.name, instance.version);
    }

    private Optional<LockedTurn> lock(String id, Duration lockTimeout) {
        var batch = visible(id);
        var instance = model.instances.get(id);
        var beginning = Beginning.in(batch);
        if (waitsForItsStart(id, batch)) {
            if (areOrphans(id, batch)) {
                model.messages.removeAll(batch);
            }
            return Optional.empty();
        }
        var earlier = model.locks.get(id);
        var token = model.nextToken();
        var pending = model.started.get(id);
        long unlocked = pending == null ? clock.millis() : pending.createdAt();
        long since = earlier == null ? unlocked : earlier.since;
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
        var kept = pending == null ? null : pending.ext();
        return Optional.of(new LockedTurn(
                FetchedTurn.item(id, instance, beginning, batch),
                token,
                attempts,
                instance == null ? kept : instance.ext));
    }

    /** The instance whose valid lock bears the token. */
    private String held(String operation, String token) {
        return model.locks.entrySet().stream()
                .filter(lock -> lock.getValue().token.equals(token) && lock.getValue().until > clock.millis())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> refused(operation, "Invalid lock token"));
    }

    /** Events of a turn bear its instance's name. */
    private static TurnAck named(TurnAck ack, String id) {
        return ack.withHistory(
                ack.historyDelta().stream().map(event -> event.ofInstance(id)).toList());
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
        ack.workerItems().forEach(item -> activity("ackOrchestrationItem", item));
        if (ack.orchestratorItems().stream().anyMatch(WorkItem.ActivityExecute.class::isInstance)
                || id.equals(ack.metadata().parentInstanceId())) {
            throw refused("ackOrchestrationItem", "an activity is no message, and no instance its own parent");
        }
        var lock = Objects.requireNonNull(model.locks.get(id));
        var instance = model.instances.computeIfAbsent(id, unused -> new Instance(lock.since));
        boolean created = known == null;
        var pending = model.started.remove(id);
        if (pending != null) {
            instance.ext = pending.ext();
        }
        AckedTurn.apply(named(ack, id), instance, created ? Beginning.in(visible(id)) : null, created, clock.millis());
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
                .forEach(message -> message.giveBack(clock.millis(), delay, ignoreAttempt));
    }

    /**
     * What is there of an instance before its first ack goes when the fetch that made it gives the turn back; it stays
     * when that lock lapsed.
     */
    private void release(String id) {
        var lock = Objects.requireNonNull(model.locks.remove(id));
        if (lock.since < lock.taken && !model.started.containsKey(id)) {
            model.locks.put(id, new Lock("", lock.since, lock.since, 0));
        }
    }

    @Override
    public synchronized void renewOrchestrationItemLock(String token, Duration extendFor) {
        var id = held("renewOrchestrationItemLock", token);
        var lock = Objects.requireNonNull(model.locks.get(id));
        lock.until = Math.max(lock.until, clock.millis() + extendFor.toMillis());
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
        events.forEach(event -> execution.events.put(event.eventId(), event.ofInstance(id)));
    }

    @Override
    public synchronized void enqueueForOrchestrator(WorkItem item, @Nullable Duration delay) {
        if (item instanceof WorkItem.ActivityExecute) {
            throw refused("enqueueForOrchestrator", "an activity is no message");
        }
        model.messages.add(new Message(item, clock.millis() + millis(delay)));
    }

    /** A delay as the contract takes it: what lies in the past is none, and a century is for ever. */
    private static long millis(@Nullable Duration delay) {
        if (delay == null || delay.isNegative()) {
            return 0;
        }
        return (delay.compareTo(LONGEST) > 0 ? LONGEST : delay).toMillis();
    }

    @Override
    public synchronized void enqueueForWorker(WorkItem item) {
        model.activities.add(new Activity(activity("enqueueForWorker", item), clock.millis()));
    }

    private static WorkItem.ActivityExecute activity(String operation, WorkItem item) {
        if (item instanceof WorkItem.ActivityExecute activity) {
            return activity;
        }
        throw refused(operation, "the worker queue takes ActivityExecute, was " + item.variant());
    }

    @Override
    public synchronized Optional<LockedWorkItem> fetchWorkItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tagFilter) {
        return looking(pollTimeout, () -> fetchWork(lockTimeout, session, tagFilter, item -> true));
    }

    /** A fetch of one of the chosen activities. */
    public synchronized Optional<LockedWorkItem> fetchWork(
            Duration lockTimeout,
            @Nullable SessionFetchConfig session,
            TagFilter tagFilter,
            Predicate<WorkItem.ActivityExecute> chosen) {
        return activities.fetch(lockTimeout, session, tagFilter, chosen);
    }

    /** The activities of which any fetch may give one now, the oldest first. */
    public synchronized List<WorkItem.ActivityExecute> ready(
            @Nullable SessionFetchConfig session, TagFilter tagFilter) {
        return activities.ready(session, tagFilter);
    }

    /** What is queued of an instance's activities, held or not. */
    public synchronized List<WorkItem.ActivityExecute> activities(String id) {
        return activities.of(id);
    }

    @Override
    public synchronized void ackWorkItem(String token, @Nullable WorkItem completion) {
        if (completion != null
                && !(completion instanceof WorkItem.ActivityCompleted)
                && !(completion instanceof WorkItem.ActivityFailed)) {
            throw refused("ackWorkItem", "completion was " + completion.variant());
        }
        activities.ack(token);
        if (completion != null) {
            enqueueForOrchestrator(completion, null);
        }
    }

    @Override
    public synchronized void renewWorkItemLock(String token, Duration extendFor) {
        activities.renew(token, extendFor);
    }

    @Override
    public synchronized void abandonWorkItem(String token, @Nullable Duration delay, boolean ignoreAttempt) {
        activities.abandon(token, delay, ignoreAttempt);
    }

    @Override
    public synchronized int renewSessionLock(List<String> owners, Duration extendFor, Duration idleTimeout) {
        return activities.renewSessions(owners, extendFor, idleTimeout);
    }

    @Override
    public synchronized int cleanupOrphanedSessions(Duration idleTimeout) {
        return activities.cleanUpSessions();
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
