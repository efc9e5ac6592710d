package io.sluice.relay.ledger;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One turn of the run's orchestrations. An order sends tags to its hub and awaits as many answers, an activity of a
 * session, a timer, a child, an event from outside and, some of them, a cancellation; it calls off an activity that
 * nobody serves, continues as new, and ends after one more activity and timer. A hub answers every tag and continues as
 * new for ever. Whatever comes is written down, so that the histories tell what came twice or not at all.
 */
final class Story {
    static final int HUBS = 6;
    /** Tags that an order sends to its hub, each by another kind of message. */
    static final int TAGS_TO_HUB = 4;

    static final String NAME = "Soak";
    static final String ORCHESTRATION_VERSION = "1.0.0";
    static final String GO = "go";
    /** What arrives for an execution that is over. */
    static final String STALE = "stale";

    /** Instances begin so that nobody runs here. */
    static final String STRANGER = "rust-";
    /** Instances begin so that wait for a timer and end. */
    static final String TIMER = "timer-";

    private static final String TAG_ACTIVITY = "tag";
    private static final String FAILING_ACTIVITY = "fail";
    private static final String HUB = "hub-";
    private static final String ORDER = "order-";
    private static final String CHILD = "::child";
    private static final String NOBODY = "nobody";
    private static final String ANSWER = "answer";
    private static final String SESSION_ACTIVITY = "charge";
    private static final String LAST_ACTIVITY = "close";
    private static final String CALLED_OFF = "wait";
    private static final String CONTRACT_VERSION = "0.1.32";
    private static final long EVENTS_PER_EXECUTION = 1_000_000;
    private static final int HUB_EVENTS = 60;
    private static final int SESSIONS = 5;
    private static final long FIRST_TIMER_MILLIS = 1_500;
    private static final long LAST_TIMER_MILLIS = 300;

    private final OrchestrationItem item;
    private final long now;
    private final long execution;
    private final List<HistoryEvent> all;
    private final List<HistoryEvent> delta = new ArrayList<>();
    private final List<WorkItem> activities = new ArrayList<>();
    private final List<WorkItem> messages = new ArrayList<>();
    private final List<ScheduledActivityIdentifier> cancelled = new ArrayList<>();
    private ExecutionMetadata metadata = ExecutionMetadata.NONE;

    private Story(OrchestrationItem item, long now, long execution, List<HistoryEvent> before) {
        this.item = item;
        this.now = now;
        this.execution = execution;
        this.all = new ArrayList<>(before);
    }

    static String hub(int index) {
        return HUB + index;
    }

    static String order(int number) {
        return ORDER + number;
    }

    static String childOf(String order) {
        return order + CHILD;
    }

    static boolean isHub(String instance) {
        return instance.startsWith(HUB);
    }

    /** Whether an order of this number is told to stop, beside what it does anyway. */
    static boolean isCancelled(int number) {
        return number % 10 == 0;
    }

    /**
     * What to commit for a turn that was fetched; nothing while an execution is over and the next one was not yet told
     * to begin.
     */
    static Optional<TurnAck> of(LockedTurn locked, long now) {
        var item = locked.item();
        boolean isOver = item.history().stream()
                .anyMatch(event -> event.kind() instanceof EventKind.OrchestrationContinuedAsNew);
        boolean isNext = item.messages().stream().anyMatch(WorkItem.ContinueAsNew.class::isInstance);
        if (isOver && !isNext) {
            return Optional.empty();
        }
        var story = isOver
                ? new Story(item, now, item.executionId() + 1, List.of())
                : new Story(item, now, item.executionId(), item.history());
        item.messages().stream().filter(Story::isBeginning).forEach(story::take);
        item.messages().stream().filter(message -> !isBeginning(message)).forEach(story::take);
        story.goOn();
        return Optional.of(TurnAck.of(locked.lockToken(), story.execution)
                .withHistory(story.delta)
                .withWorkerItems(story.activities)
                .withOrchestratorItems(story.messages)
                .withCancelledActivities(story.cancelled)
                .withMetadata(story.metadata));
    }

    private static boolean isBeginning(WorkItem message) {
        return message instanceof WorkItem.StartOrchestration || message instanceof WorkItem.ContinueAsNew;
    }

    private void take(WorkItem message) {
        if (message instanceof WorkItem.StartOrchestration start) {
            begin(start.input(), start.parentInstance(), start.parentId(), start.parentExecutionId());
        } else if (message instanceof WorkItem.ContinueAsNew next) {
            begin(next.input(), next.parentInstance(), next.parentId(), next.parentExecutionId());
        } else if (message instanceof WorkItem.ExternalRaised raised) {
            add(new EventKind.ExternalEvent(raised.name(), raised.data()));
            answer(raised.data());
        } else if (message instanceof WorkItem.QueueMessage queued) {
            add(new EventKind.ExternalEventPersistent(queued.name(), queued.data()));
            answer(queued.data());
        } else if (message instanceof WorkItem.CancelInstance cancel) {
            add(new EventKind.OrchestrationCancelRequested(cancel.reason()));
            answer(cancel.reason());
        } else if (message instanceof WorkItem.SubOrchCompleted done) {
            complete(done.parentExecutionId(), done.parentId(), new EventKind.SubOrchestrationCompleted(done.result()));
        } else if (message instanceof WorkItem.SubOrchFailed failed) {
            complete(
                    failed.parentExecutionId(),
                    failed.parentId(),
                    new EventKind.SubOrchestrationFailed(failed.details()));
        } else if (message instanceof WorkItem.ActivityCompleted done && isHub(item.instance())) {
            add(new EventKind.ActivityCompleted(done.result()));
            answer(done.result());
        } else if (message instanceof WorkItem.ActivityCompleted done) {
            complete(done.executionId(), done.id(), new EventKind.ActivityCompleted(done.result()));
        } else if (message instanceof WorkItem.ActivityFailed failed) {
            complete(failed.executionId(), failed.id(), new EventKind.ActivityFailed(failed.details()));
        } else if (message instanceof WorkItem.TimerFired fired) {
            complete(fired.executionId(), fired.id(), new EventKind.TimerFired(fired.fireAtMillis()));
        } else {
            throw new IllegalStateException("nobody sent " + message);
        }
    }

    private void complete(long ofExecution, long scheduledBy, EventKind kind) {
        if (ofExecution == execution) {
            append(event(kind).withSourceEventId(scheduledBy));
        } else {
            add(new EventKind.ExternalEvent(STALE, kind.type() + " of execution " + ofExecution));
        }
    }

    private void begin(String input, @Nullable String parent, @Nullable Long parentId, @Nullable Long parentExecution) {
        add(new EventKind.OrchestrationStarted(
                NAME, ORCHESTRATION_VERSION, input, parent, parentId, parentExecution, null, null));
        if (execution == 1) {
            metadata = metadata.withOrchestration(NAME, ORCHESTRATION_VERSION).withParent(parent);
        }
        if (isHub(item.instance())) {
            return;
        }
        if (parent != null) {
            schedule(number() % 7 == 3 ? FAILING_ACTIVITY : LAST_ACTIVITY, null, null);
        } else if (execution == 1) {
            beginOrder();
        } else {
            schedule(LAST_ACTIVITY, null, null);
            setTimer(LAST_TIMER_MILLIS);
        }
    }

    private void beginOrder() {
        set("state", "begun " + "·".repeat(100));
        set("number", String.valueOf(number()));
        add(new EventKind.CustomStatusUpdated("working"));
        schedule(SESSION_ACTIVITY, "till-" + number() % SESSIONS, null);
        if (number() % 5 == 2) {
            schedule(CALLED_OFF, null, NOBODY);
        }
        setTimer(FIRST_TIMER_MILLIS);
        startChild();
        var hub = hub(number() % HUBS);
        messages.add(new WorkItem.QueueMessage(hub, "tags", send(hub).toString()));
        messages.add(new WorkItem.ExternalRaised(hub, "tag", send(hub).toString()));
        messages.add(new WorkItem.CancelInstance(hub, send(hub).toString()));
        var tag = send(hub).toString();
        activities.add(new WorkItem.ActivityExecute(hub, 1, all.size(), TAG_ACTIVITY, tag, null, null));
    }

    /** What an activity comes to. */
    static WorkItem result(WorkItem.ActivityExecute execute) {
        if (execute.name().equals(FAILING_ACTIVITY)) {
            var failure = new ErrorDetails.Application(
                    ErrorDetails.ApplicationKind.Plain.ORCHESTRATION_FAILED, "as it was told", false);
            return new WorkItem.ActivityFailed(execute.instance(), execute.executionId(), execute.id(), failure);
        }
        var result = execute.name().equals(TAG_ACTIVITY) ? execute.input() : "done";
        return new WorkItem.ActivityCompleted(execute.instance(), execute.executionId(), execute.id(), result);
    }

    private void startChild() {
        var child = childOf(item.instance());
        var tag = send(child).toString();
        add(new EventKind.SubOrchestrationScheduled(NAME, child, tag));
        messages.add(new WorkItem.StartOrchestration(
                child, NAME, tag, ORCHESTRATION_VERSION, item.instance(), (long) all.size(), execution, 1));
    }

    private void answer(String text) {
        if (isHub(item.instance())) {
            var source = Tag.parse(text).source();
            if (!source.startsWith(STRANGER)) {
                messages.add(
                        new WorkItem.ExternalRaised(source, ANSWER, send(source).toString()));
            }
        }
    }

    /** What follows from all that is there by now. */
    private void goOn() {
        if (isHub(item.instance())) {
            goOnAsHub();
        } else if (!has(kind -> kind instanceof EventKind.OrchestrationStarted)
                || has(kind -> kind instanceof EventKind.OrchestrationCompleted)) {
            return; // what is written down too early or too late the audit finds
        } else if (item.instance().endsWith(CHILD)) {
            goOnAsChild();
        } else if (execution == 1 && !item.instance().startsWith(TIMER)) {
            goOnAsOrder();
        } else if (isEverythingDone()) {
            set("state", "done");
            end("Completed");
        }
    }

    private void goOnAsHub() {
        if (!delta.isEmpty()) {
            set("events", String.valueOf(all.size()));
        }
        if (all.size() >= HUB_EVENTS) {
            continueAsNew();
        }
    }

    private void goOnAsChild() {
        if (isEverythingDone() && all.get(0).kind() instanceof EventKind.OrchestrationStarted started) {
            var parent = Tag.parse(started.input()).source();
            long parentId = started.parentId() == null ? 0 : started.parentId();
            var tag = send(parent).toString();
            if (number() % 4 == 1) {
                var failure = new ErrorDetails.Application(
                        ErrorDetails.ApplicationKind.Plain.ORCHESTRATION_FAILED, tag, false);
                messages.add(new WorkItem.SubOrchFailed(parent, 1, parentId, failure));
            } else {
                messages.add(new WorkItem.SubOrchCompleted(parent, 1, parentId, tag));
            }
            end("Completed");
        }
    }

    private void goOnAsOrder() {
        boolean goes = has(kind ->
                kind instanceof EventKind.ExternalEvent event && event.name().equals(GO));
        long answers = all.stream()
                .filter(event -> event.kind() instanceof EventKind.ExternalEvent raised
                        && raised.name().equals(ANSWER))
                .count();
        boolean stops = !isCancelled(number()) || has(kind -> kind instanceof EventKind.OrchestrationCancelRequested);
        if (goes && stops && answers >= TAGS_TO_HUB && isEverythingDone()) {
            callOff();
            set("state", "going on");
            continueAsNew();
        }
    }

    private void callOff() {
        for (var event : List.copyOf(all)) {
            if (event.kind() instanceof EventKind.ActivityScheduled scheduled
                    && scheduled.name().equals(CALLED_OFF)) {
                append(event(new EventKind.ActivityCancelRequested("not needed"))
                        .withSourceEventId(event.eventId()));
                cancelled.add(new ScheduledActivityIdentifier(item.instance(), execution, event.eventId()));
            }
        }
    }

    private void continueAsNew() {
        add(new EventKind.OrchestrationContinuedAsNew("again"));
        metadata = metadata.withStatus("ContinuedAsNew", "again");
        messages.add(new WorkItem.ContinueAsNew(
                item.instance(), NAME, "again", ORCHESTRATION_VERSION, null, null, null, List.of(), null));
    }

    private void end(String status) {
        add(new EventKind.OrchestrationCompleted("done"));
        metadata = metadata.withStatus(status, "done");
    }

    /** Every activity but the one that nobody serves, every timer and every child has been answered. */
    private boolean isEverythingDone() {
        return all.stream()
                .filter(Story::isAwaited)
                .allMatch(scheduled -> all.stream().anyMatch(event -> isOf(event, scheduled)));
    }

    private static boolean isOf(HistoryEvent event, HistoryEvent scheduled) {
        var source = event.sourceEventId();
        return source != null && source == scheduled.eventId();
    }

    /** Whether the event schedules what must be answered once. */
    static boolean isAwaited(HistoryEvent event) {
        return (event.kind() instanceof EventKind.ActivityScheduled scheduled
                        && !scheduled.name().equals(CALLED_OFF)
                        && Tag.sentBy(event).isEmpty())
                || event.kind() instanceof EventKind.TimerCreated
                || event.kind() instanceof EventKind.SubOrchestrationScheduled;
    }

    private boolean has(Predicate<EventKind> condition) {
        return all.stream().map(HistoryEvent::kind).anyMatch(condition);
    }

    private int number() {
        var digits = item.instance().replace(CHILD, "");
        return Integer.parseInt(digits.substring(digits.indexOf('-') + 1));
    }

    private void schedule(String name, @Nullable String session, @Nullable String tag) {
        add(new EventKind.ActivityScheduled(name, "{}", session, tag));
        activities.add(new WorkItem.ActivityExecute(item.instance(), execution, all.size(), name, "{}", session, tag));
    }

    private void setTimer(long millis) {
        add(new EventKind.TimerCreated(now + millis));
        messages.add(new WorkItem.TimerFired(item.instance(), execution, all.size(), now + millis));
    }

    private void set(String key, String value) {
        add(new EventKind.KeyValueSet(key, value, now));
    }

    private Tag send(String target) {
        var tag = new Tag(item.instance(), execution * EVENTS_PER_EXECUTION + all.size() + 1, target);
        add(tag.sent());
        return tag;
    }

    private HistoryEvent event(EventKind kind) {
        return HistoryEvent.of(all.size() + 1, item.instance(), execution, now, CONTRACT_VERSION, kind);
    }

    private void add(EventKind kind) {
        append(event(kind));
    }

    private void append(HistoryEvent event) {
        all.add(event);
        delta.add(event);
    }
}
