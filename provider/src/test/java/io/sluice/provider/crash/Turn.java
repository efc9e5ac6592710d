package io.sluice.provider.crash;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a turn decides: its messages become events as they are, duplicates too, and what follows is told by a story. */
final class Turn {
    private static final long TIME = 1_740_000_000_000L;
    private static final String VERSION = "0.1.32";

    private final LockedTurn turn;
    private final List<HistoryEvent> history;
    private final List<HistoryEvent> delta = new ArrayList<>();
    private final List<WorkItem> activities = new ArrayList<>();
    private final List<WorkItem> messages = new ArrayList<>();
    private final List<ScheduledActivityIdentifier> cancelled = new ArrayList<>();
    private ExecutionMetadata metadata = ExecutionMetadata.NONE;
    private final long execution;
    private boolean isFirst;
    private @Nullable String parent;
    private long parentEvent;

    private Turn(LockedTurn turn) {
        this.turn = turn;
        // The store shows the execution that ended; the message begins the next one.
        boolean isNext = turn.item().messages().stream().anyMatch(WorkItem.ContinueAsNew.class::isInstance);
        this.execution = turn.item().executionId() + (isNext ? 1 : 0);
        this.history = isNext ? List.of() : turn.item().history();
    }

    static Turn of(LockedTurn turn) {
        var decided = new Turn(turn);
        turn.item().messages().forEach(decided::take);
        return decided;
    }

    private void take(WorkItem message) {
        if (message instanceof WorkItem.StartOrchestration start) {
            isFirst |= history.isEmpty();
            parent = start.parentInstance();
            parentEvent = start.parentId() == null ? 0 : start.parentId();
            add(new EventKind.OrchestrationStarted(
                    start.orchestration(), "1.0.0", start.input(), parent, start.parentId(), null, null, null));
            metadata =
                    metadata.withOrchestration(start.orchestration(), "1.0.0").withParent(parent);
        } else if (message instanceof WorkItem.ContinueAsNew next) {
            isFirst |= history.isEmpty();
            add(new EventKind.OrchestrationStarted(
                    next.orchestration(), "1.0.0", next.input(), null, null, null, null, null));
            metadata = metadata.withOrchestration(next.orchestration(), "1.0.0");
        } else if (message instanceof WorkItem.ActivityCompleted done) {
            add(new EventKind.ActivityCompleted(done.result()));
        } else if (message instanceof WorkItem.SubOrchCompleted done) {
            add(new EventKind.SubOrchestrationCompleted(done.result()));
        } else if (message instanceof WorkItem.ExternalRaised raised) {
            add(new EventKind.ExternalEvent(raised.name(), raised.data()));
        } else {
            throw new IllegalStateException("no story has a message " + message);
        }
    }

    long execution() {
        return execution;
    }

    String instance() {
        return turn.item().instance();
    }

    /** Whether the execution begins with it. */
    boolean isFirst() {
        return isFirst;
    }

    @Nullable
    String parent() {
        return parent;
    }

    long parentEvent() {
        return parentEvent;
    }

    /** Whether the execution has an event of this kind, this turn's included. */
    boolean has(Class<? extends EventKind> kind) {
        return events().stream().anyMatch(event -> kind.isInstance(event.kind()));
    }

    /** The id of the first event of this kind. */
    long idOf(Class<? extends EventKind> kind) {
        return events().stream()
                .filter(event -> kind.isInstance(event.kind()))
                .findFirst()
                .orElseThrow()
                .eventId();
    }

    private List<HistoryEvent> events() {
        var events = new ArrayList<>(history);
        events.addAll(delta);
        return events;
    }

    /** Adds an event, and tells its id. */
    long add(EventKind kind) {
        long id = history.size() + delta.size() + 1L;
        delta.add(new HistoryEvent(id, null, instance(), execution, TIME, VERSION, kind, ExtraFields.NONE));
        return id;
    }

    void execute(WorkItem activity) {
        activities.add(activity);
    }

    void send(WorkItem message) {
        messages.add(message);
    }

    void cancel(long activity) {
        cancelled.add(new ScheduledActivityIdentifier(instance(), execution, activity));
    }

    void status(String status, @Nullable String output) {
        metadata = metadata.withStatus(status, output);
    }

    TurnAck ack() {
        return TurnAck.of(turn.lockToken(), execution)
                .withHistory(delta)
                .withWorkerItems(activities)
                .withOrchestratorItems(messages)
                .withMetadata(metadata)
                .withCancelledActivities(cancelled);
    }
}
