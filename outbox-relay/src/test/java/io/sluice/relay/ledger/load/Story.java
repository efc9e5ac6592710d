package io.sluice.relay.ledger.load;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One turn of the run's orchestrations. An order sends tags to its hub and awaits as many answers, an activity of a
 * session, a timer, a child, an event from outside and, some of them, a cancellation; it calls off an activity that
 * nobody serves, continues as new, and ends after one more activity and timer. A hub answers every tag and continues as
 * new for ever. Whatever comes is written down, so that the histories tell what came twice or not at all.
 */
public final class Story {
    /** Tags that an order sends to its hub, each by another kind of message. */
    public static final int TAGS_TO_HUB = 4;

    /** The orchestration's name. */
    public static final String NAME = "Soak";

    static final String ORCHESTRATION_VERSION = "1.0.0";
    /** The event that each order awaits. */
    public static final String GO = "go";
    /** What arrives for an execution that is over. */
    public static final String STALE = "stale";

    private static final String NOBODY = "nobody";
    private static final String ANSWER = "answer";
    private static final int HUB_EVENTS = 60;
    private static final int SESSIONS = 5;
    private static final long FIRST_TIMER_MILLIS = 1_500;
    private static final long LAST_TIMER_MILLIS = 300;

    private final TurnDraft turn;
    private final String instance;

    private Story(TurnDraft turn) {
        this.turn = turn;
        this.instance = turn.instance();
    }

    /**
     * What to commit for a turn that was fetched; nothing while an execution is over and the next one was not yet told
     * to begin.
     */
    public static Optional<TurnAck> of(LockedTurn locked, long now) {
        var item = locked.item();
        boolean isOver = item.history().stream()
                .anyMatch(event -> event.kind() instanceof EventKind.OrchestrationContinuedAsNew);
        boolean isNext = item.messages().stream().anyMatch(WorkItem.ContinueAsNew.class::isInstance);
        if (isOver && !isNext) {
            return Optional.empty();
        }
        var turn = isOver
                ? new TurnDraft(item.instance(), item.executionId() + 1, now, List.of())
                : new TurnDraft(item.instance(), item.executionId(), now, item.history());
        var story = new Story(turn);
        item.messages().stream().filter(Story::isBeginning).forEach(story::take);
        item.messages().stream().filter(message -> !isBeginning(message)).forEach(story::take);
        story.goOn();
        return Optional.of(turn.ack(locked.lockToken()));
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
            turn.add(new EventKind.ExternalEvent(raised.name(), raised.data()));
            answer(raised.data());
        } else if (message instanceof WorkItem.QueueMessage queued) {
            turn.add(new EventKind.ExternalEventPersistent(queued.name(), queued.data()));
            answer(queued.data());
        } else if (message instanceof WorkItem.CancelInstance cancel) {
            turn.add(new EventKind.OrchestrationCancelRequested(cancel.reason()));
            answer(cancel.reason());
        } else if (message instanceof WorkItem.SubOrchCompleted done) {
            complete(done.parentExecutionId(), done.parentId(), new EventKind.SubOrchestrationCompleted(done.result()));
        } else if (message instanceof WorkItem.SubOrchFailed failed) {
            complete(
                    failed.parentExecutionId(),
                    failed.parentId(),
                    new EventKind.SubOrchestrationFailed(failed.details()));
        } else if (message instanceof WorkItem.ActivityCompleted done && Instances.isHub(instance)) {
            turn.add(new EventKind.ActivityCompleted(done.result()));
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
        if (ofExecution == turn.execution()) {
            turn.addAnswer(scheduledBy, kind);
        } else {
            turn.add(new EventKind.ExternalEvent(STALE, kind.type() + " of execution " + ofExecution));
        }
    }

    private void begin(String input, @Nullable String parent, @Nullable Long parentId, @Nullable Long parentExecution) {
        turn.add(new EventKind.OrchestrationStarted(
                NAME, ORCHESTRATION_VERSION, input, parent, parentId, parentExecution, null, null));
        if (turn.execution() == 1) {
            turn.describe(metadata ->
                    metadata.withOrchestration(NAME, ORCHESTRATION_VERSION).withParent(parent));
        }
        if (Instances.isHub(instance)) {
            return;
        }
        if (parent != null) {
            turn.schedule(number() % 7 == 3 ? Scheduled.FAILING : Scheduled.LAST, null, null);
        } else if (turn.execution() == 1) {
            beginOrder();
        } else {
            turn.schedule(Scheduled.LAST, null, null);
            turn.setTimer(LAST_TIMER_MILLIS);
        }
    }

    private void beginOrder() {
        turn.set("state", "begun " + "·".repeat(100));
        turn.set("number", String.valueOf(number()));
        turn.add(new EventKind.CustomStatusUpdated("working"));
        turn.schedule(Scheduled.OF_SESSION, "till-" + number() % SESSIONS, null);
        if (number() % 5 == 2) {
            turn.schedule(Scheduled.CALLED_OFF, null, NOBODY);
        }
        turn.setTimer(FIRST_TIMER_MILLIS);
        startChild();
        var hub = Instances.hub(number() % Instances.HUBS);
        turn.send(new WorkItem.QueueMessage(hub, "tags", turn.tagFor(hub)));
        turn.send(new WorkItem.ExternalRaised(hub, "tag", turn.tagFor(hub)));
        turn.send(new WorkItem.CancelInstance(hub, turn.tagFor(hub)));
        var tag = turn.tagFor(hub);
        turn.sendActivity(new WorkItem.ActivityExecute(hub, 1, turn.size(), Scheduled.TAG, tag, null, null));
    }

    private void startChild() {
        var child = Instances.childOf(instance);
        var tag = turn.tagFor(child);
        turn.add(new EventKind.SubOrchestrationScheduled(NAME, child, tag));
        turn.send(new WorkItem.StartOrchestration(
                child, NAME, tag, ORCHESTRATION_VERSION, instance, (long) turn.size(), turn.execution(), 1));
    }

    private void answer(String text) {
        if (Instances.isHub(instance)) {
            var source = Tag.parse(text).source();
            if (!source.startsWith(Instances.STRANGER)) {
                turn.send(new WorkItem.ExternalRaised(source, ANSWER, turn.tagFor(source)));
            }
        }
    }

    /** What follows from all that is there by now. */
    private void goOn() {
        if (Instances.isHub(instance)) {
            goOnAsHub();
        } else if (!turn.has(kind -> kind instanceof EventKind.OrchestrationStarted)
                || turn.has(kind -> kind instanceof EventKind.OrchestrationCompleted)) {
            return; // what is written down too early or too late the audit finds
        } else if (Instances.isChild(instance)) {
            goOnAsChild();
        } else if (turn.execution() == 1 && !instance.startsWith(Instances.TIMER)) {
            goOnAsOrder();
        } else if (turn.isEverythingDone()) {
            turn.set("state", "done");
            end();
        }
    }

    private void goOnAsHub() {
        if (!turn.isUnchanged()) {
            turn.set("events", String.valueOf(turn.size()));
        }
        if (turn.size() >= HUB_EVENTS) {
            continueAsNew();
        }
    }

    private void goOnAsChild() {
        if (turn.isEverythingDone() && turn.all().get(0).kind() instanceof EventKind.OrchestrationStarted started) {
            var parent = Tag.parse(started.input()).source();
            long parentId = started.parentId() == null ? 0 : started.parentId();
            var tag = turn.tagFor(parent);
            turn.send(
                    number() % 4 == 1
                            ? new WorkItem.SubOrchFailed(parent, 1, parentId, Scheduled.failure(tag))
                            : new WorkItem.SubOrchCompleted(parent, 1, parentId, tag));
            end();
        }
    }

    private void goOnAsOrder() {
        boolean goes = turn.has(kind ->
                kind instanceof EventKind.ExternalEvent event && event.name().equals(GO));
        long answers = turn.all().stream()
                .filter(event -> event.kind() instanceof EventKind.ExternalEvent raised
                        && raised.name().equals(ANSWER))
                .count();
        boolean stops = !Instances.isCancelled(number())
                || turn.has(kind -> kind instanceof EventKind.OrchestrationCancelRequested);
        if (goes && stops && answers >= TAGS_TO_HUB && turn.isEverythingDone()) {
            turn.all().stream()
                    .filter(event -> event.kind() instanceof EventKind.ActivityScheduled scheduled
                            && scheduled.name().equals(Scheduled.CALLED_OFF))
                    .forEach(turn::callOff);
            turn.set("state", "going on");
            continueAsNew();
        }
    }

    private void continueAsNew() {
        turn.add(new EventKind.OrchestrationContinuedAsNew("again"));
        turn.describe(metadata -> metadata.withStatus("ContinuedAsNew", "again"));
        turn.send(new WorkItem.ContinueAsNew(
                instance, NAME, "again", ORCHESTRATION_VERSION, null, null, null, List.of(), null));
    }

    private void end() {
        turn.add(new EventKind.OrchestrationCompleted("done"));
        turn.describe(metadata -> metadata.withStatus("Completed", "done"));
    }

    private int number() {
        return Instances.numberOf(instance);
    }
}
