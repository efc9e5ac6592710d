package io.sluice.provider.world.program;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a turn comes to, event by event. */
public final class TurnDraft {
    private static final String RUNTIME = "0.1.32";

    private final String instance;
    private final long execution;
    private final long now;
    private final List<HistoryEvent> events;
    private final int before;
    private final List<WorkItem> activities = new ArrayList<>();
    private final List<WorkItem> messages = new ArrayList<>();
    private final List<ScheduledActivityIdentifier> cancelled = new ArrayList<>();
    private ExecutionMetadata metadata = ExecutionMetadata.NONE;

    /** A turn of this execution, which has these events so far. */
    public TurnDraft(String instance, long execution, List<HistoryEvent> before, long now) {
        this.instance = instance;
        this.execution = execution;
        this.events = new ArrayList<>(before);
        this.before = before.size();
        this.now = now;
    }

    public String instance() {
        return instance;
    }

    public long execution() {
        return execution;
    }

    /** When it is made. */
    public long now() {
        return now;
    }

    /** All events of the execution, those of the turn too. */
    public List<HistoryEvent> events() {
        return List.copyOf(events);
    }

    /** Whether what was scheduled by this event is over. */
    public boolean isDone(long scheduledBy) {
        return events.stream()
                .anyMatch(event -> event.sourceEventId() != null
                        && event.sourceEventId() == scheduledBy
                        && !(event.kind() instanceof EventKind.ActivityCancelRequested));
    }

    public static boolean isScheduling(EventKind kind) {
        return kind instanceof EventKind.ActivityScheduled
                || kind instanceof EventKind.TimerCreated
                || kind instanceof EventKind.SubOrchestrationScheduled;
    }

    /** Adds an event, and tells its id. */
    public long add(EventKind kind) {
        return add(kind, null);
    }

    public long add(EventKind kind, @Nullable Long source) {
        long id = nextId();
        events.add(new HistoryEvent(id, source, instance, execution, now, RUNTIME, kind, ExtraFields.NONE));
        return id;
    }

    public long nextId() {
        return events.size() + 1L;
    }

    /** Schedules an activity, and tells the id of its event. */
    public long schedule(@Nullable String session, @Nullable String tag) {
        long id = add(new EventKind.ActivityScheduled("work", "{}", session, tag));
        activities.add(new WorkItem.ActivityExecute(instance, execution, id, "work", "{}", session, tag));
        return id;
    }

    /** Creates a timer, and tells the id of its event. */
    public long createTimer(long fireAt) {
        long id = add(new EventKind.TimerCreated(fireAt));
        messages.add(new WorkItem.TimerFired(instance, execution, id, fireAt));
        return id;
    }

    public void send(WorkItem message) {
        messages.add(message);
    }

    /** Cancels an activity of any execution. */
    public void cancel(long ofExecution, long activity) {
        cancelled.add(new ScheduledActivityIdentifier(instance, ofExecution, activity));
    }

    /** The execution ends well. */
    public void complete(String output) {
        add(new EventKind.OrchestrationCompleted(output));
        metadata = metadata.withStatus("Completed", output);
    }

    /** The execution ends badly. */
    public void fail(String why) {
        add(new EventKind.OrchestrationFailed(error(why)));
        metadata = metadata.withStatus("Failed", why);
    }

    public static ErrorDetails error(String why) {
        return new ErrorDetails.Infrastructure("simulation", why, false);
    }

    /** The activities it schedules. */
    public List<WorkItem> activities() {
        return activities;
    }

    public void metadata(UnaryOperator<ExecutionMetadata> change) {
        metadata = change.apply(metadata);
    }

    /** The ack under this lock. */
    public TurnAck ack(String token) {
        return TurnAck.of(token, execution)
                .withHistory(events.subList(before, events.size()))
                .withWorkerItems(activities)
                .withOrchestratorItems(messages)
                .withMetadata(metadata)
                .withCancelledActivities(cancelled);
    }
}
