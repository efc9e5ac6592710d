package io.sluice.relay.ledger.load;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What one turn is going to commit: new events of an execution, and what it sends and schedules. Not thread-safe. */
final class TurnDraft {
    private static final String CONTRACT_VERSION = "0.1.32";
    private static final long EVENTS_PER_EXECUTION = 1_000_000;

    private final String instance;
    private final long execution;
    private final long now;
    private final List<HistoryEvent> all;
    private final List<HistoryEvent> delta = new ArrayList<>();
    private final List<WorkItem> activities = new ArrayList<>();
    private final List<WorkItem> messages = new ArrayList<>();
    private final List<ScheduledActivityIdentifier> cancelled = new ArrayList<>();
    private ExecutionMetadata metadata = ExecutionMetadata.NONE;

    /** @param before events that the execution has already */
    TurnDraft(String instance, long execution, long now, List<HistoryEvent> before) {
        this.instance = instance;
        this.execution = execution;
        this.now = now;
        this.all = new ArrayList<>(before);
    }

    TurnAck ack(String lockToken) {
        return TurnAck.of(lockToken, execution)
                .withHistory(delta)
                .withWorkerItems(activities)
                .withOrchestratorItems(messages)
                .withCancelledActivities(cancelled)
                .withMetadata(metadata);
    }

    String instance() {
        return instance;
    }

    long execution() {
        return execution;
    }

    /** All events of the execution, the new ones among them. */
    List<HistoryEvent> all() {
        return List.copyOf(all);
    }

    int size() {
        return all.size();
    }

    boolean isUnchanged() {
        return delta.isEmpty();
    }

    boolean has(Predicate<EventKind> condition) {
        return all.stream().map(HistoryEvent::kind).anyMatch(condition);
    }

    /** Every activity but the one that nobody serves, every timer and every child has been answered. */
    boolean isEverythingDone() {
        return all.stream()
                .filter(Scheduled::isAwaited)
                .allMatch(scheduled -> all.stream().anyMatch(event -> isOf(event, scheduled)));
    }

    private static boolean isOf(HistoryEvent event, HistoryEvent scheduled) {
        var source = event.sourceEventId();
        return source != null && source == scheduled.eventId();
    }

    void add(EventKind kind) {
        append(event(kind));
    }

    /** An event that answers another of this execution. */
    void addAnswer(long scheduledBy, EventKind kind) {
        append(event(kind).withSourceEventId(scheduledBy));
    }

    private HistoryEvent event(EventKind kind) {
        return HistoryEvent.of(all.size() + 1, instance, execution, now, CONTRACT_VERSION, kind);
    }

    private void append(HistoryEvent event) {
        all.add(event);
        delta.add(event);
    }

    void set(String key, String value) {
        add(new EventKind.KeyValueSet(key, value, now));
    }

    void schedule(String name, @Nullable String session, @Nullable String tag) {
        add(new EventKind.ActivityScheduled(name, "{}", session, tag));
        activities.add(new WorkItem.ActivityExecute(instance, execution, all.size(), name, "{}", session, tag));
    }

    void callOff(HistoryEvent scheduled) {
        addAnswer(scheduled.eventId(), new EventKind.ActivityCancelRequested("not needed"));
        cancelled.add(new ScheduledActivityIdentifier(instance, execution, scheduled.eventId()));
    }

    void setTimer(long millis) {
        add(new EventKind.TimerCreated(now + millis));
        messages.add(new WorkItem.TimerFired(instance, execution, all.size(), now + millis));
    }

    /** Writes down that an intent is sent; what its message bears. */
    String tagFor(String target) {
        var tag = new Tag(instance, execution * EVENTS_PER_EXECUTION + all.size() + 1, target);
        add(tag.sent());
        return tag.toString();
    }

    void send(WorkItem message) {
        messages.add(message);
    }

    /** An activity of another instance, as an intent. */
    void sendActivity(WorkItem.ActivityExecute activity) {
        activities.add(activity);
    }

    void describe(UnaryOperator<ExecutionMetadata> change) {
        metadata = change.apply(metadata);
    }
}
