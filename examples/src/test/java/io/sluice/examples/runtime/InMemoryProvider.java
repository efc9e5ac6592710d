package io.sluice.examples.runtime;

import io.sluice.provider.CustomStatus;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.InstanceStats;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.Provider;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The part of the contract that a runtime needs, for one thread. Refusals can be planned; what was acked is kept. */
final class InMemoryProvider implements Provider {
    private final InstantSource clock;
    private final Map<String, List<HistoryEvent>> histories = new LinkedHashMap<>();
    private final List<Message> queue = new ArrayList<>();
    private final List<WorkItem.ActivityExecute> activities = new ArrayList<>();
    private final Map<String, List<Message>> lockedTurns = new HashMap<>();
    private final Map<String, WorkItem.ActivityExecute> lockedActivities = new HashMap<>();
    final Deque<ProviderException> ackRefusals = new ArrayDeque<>();
    final List<TurnAck> acks = new ArrayList<>();
    final List<Boolean> abandonments = new ArrayList<>();
    final List<Optional<WorkItem>> completions = new ArrayList<>();
    private int tokens;

    private record Message(WorkItem item, long visibleAt) {}

    InMemoryProvider(InstantSource clock) {
        this.clock = clock;
    }

    /** When the next hidden message becomes visible. */
    OptionalLong nextVisibleAt() {
        return queue.stream().mapToLong(Message::visibleAt).min();
    }

    @Override
    public Optional<LockedTurn> fetchOrchestrationItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable DispatcherCapabilityFilter filter) {
        Optional<Message> oldest = queue.stream()
                .filter(message -> message.visibleAt() <= clock.millis())
                .findFirst();
        return oldest.map(first -> {
            String instance = first.item().routedInstance();
            List<Message> batch = queue.stream()
                    .filter(message -> message.item().routedInstance().equals(instance))
                    .filter(message -> message.visibleAt() <= clock.millis())
                    .toList();
            queue.removeAll(batch);
            String token = "turn-" + ++tokens;
            lockedTurns.put(token, batch);
            return new LockedTurn(
                    new OrchestrationItem(
                            instance,
                            "",
                            1,
                            "",
                            read(instance),
                            batch.stream().map(Message::item).toList(),
                            null,
                            Map.of()),
                    token,
                    1);
        });
    }

    @Override
    public void ackOrchestrationItem(TurnAck ack) {
        if (!ackRefusals.isEmpty()) {
            throw ackRefusals.remove();
        }
        List<Message> batch = lockedTurns.remove(ack.lockToken());
        if (batch == null) {
            throw ProviderException.permanent("ackOrchestrationItem", "Invalid lock token " + ack.lockToken());
        }
        acks.add(ack);
        String instance = batch.get(0).item().routedInstance();
        histories.computeIfAbsent(instance, id -> new ArrayList<>()).addAll(ack.historyDelta());
        ack.workerItems().forEach(this::enqueueForWorker);
        ack.cancelledActivities()
                .forEach(cancelled -> activities.removeIf(activity ->
                        activity.instance().equals(cancelled.instance()) && activity.id() == cancelled.activityId()));
        ack.orchestratorItems().forEach(item -> enqueueForOrchestrator(item, null));
    }

    @Override
    public void abandonOrchestrationItem(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
        List<Message> batch = lockedTurns.remove(lockToken);
        if (batch == null) {
            throw ProviderException.permanent("abandonOrchestrationItem", "Invalid lock token " + lockToken);
        }
        abandonments.add(ignoreAttempt);
        long visibleAt = clock.millis() + (delay == null ? 0 : delay.toMillis());
        batch.forEach(message -> queue.add(new Message(message.item(), visibleAt)));
    }

    @Override
    public void renewOrchestrationItemLock(String lockToken, Duration extendFor) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<HistoryEvent> read(String instance) {
        return List.copyOf(histories.getOrDefault(instance, List.of()));
    }

    @Override
    public List<HistoryEvent> readWithExecution(String instance, long executionId) {
        return read(instance);
    }

    @Override
    public void appendWithExecution(String instance, long executionId, List<HistoryEvent> events) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void enqueueForOrchestrator(WorkItem item, @Nullable Duration delay) {
        long visibleAt = item instanceof WorkItem.TimerFired timer ? timer.fireAtMillis() : clock.millis();
        queue.add(new Message(item, visibleAt));
    }

    @Override
    public void enqueueForWorker(WorkItem item) {
        activities.add((WorkItem.ActivityExecute) item);
    }

    @Override
    public Optional<LockedWorkItem> fetchWorkItem(
            Duration lockTimeout, Duration pollTimeout, @Nullable SessionFetchConfig session, TagFilter tagFilter) {
        if (activities.isEmpty()) {
            return Optional.empty();
        }
        String token = "activity-" + ++tokens;
        lockedActivities.put(token, activities.remove(0));
        return Optional.of(new LockedWorkItem(lockedActivities.get(token), token, 1));
    }

    @Override
    public void ackWorkItem(String lockToken, @Nullable WorkItem completion) {
        if (lockedActivities.remove(lockToken) == null) {
            throw ProviderException.permanent("ackWorkItem", "Invalid lock token " + lockToken);
        }
        completions.add(Optional.ofNullable(completion));
        if (completion != null) {
            enqueueForOrchestrator(completion, null);
        }
    }

    @Override
    public void renewWorkItemLock(String lockToken, Duration extendFor) {
        throw ProviderException.permanent("renewWorkItemLock", "the item is gone");
    }

    @Override
    public void abandonWorkItem(String lockToken, @Nullable Duration delay, boolean ignoreAttempt) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int renewSessionLock(List<String> ownerIds, Duration extendFor, Duration idleTimeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int cleanupOrphanedSessions(Duration idleTimeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<CustomStatus> getCustomStatus(String instance, long lastSeenVersion) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<String> getKvValue(String instance, String key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, String> getKvAllValues(String instance) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<InstanceStats> getInstanceStats(String instance) {
        throw new UnsupportedOperationException("a runtime does not ask for it");
    }
}
