package io.sluice.provider.world.program;

import io.sluice.provider.InstanceExt;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a program: its messages become events, and what the program does next follows from all events. A
 * completion that nobody waits for any more is passed over; one that comes twice is a violation.
 */
public final class Replay {
    /** Stands in the names of children. */
    public static final String CHILD = "::sub::";
    /** What no worker serves. */
    public static final String UNSERVED = "gpu";

    /** What is kept along with an instance whose first turn has seen what was given along. */
    private static final InstanceExt SEEN = new InstanceExt("{\"status\":\"SEEN\"}");

    private final LockedTurn turn;
    private final Program.Code code;
    private final Consumer<String> violation;
    private final TurnDraft draft;
    private final int before;
    private final long execution;
    private boolean cancelRequested;

    private Replay(LockedTurn turn, Program.Code code, long now, Consumer<String> violation) {
        this.turn = turn;
        this.code = code;
        this.violation = violation;
        boolean isNext = turn.item().messages().stream().anyMatch(WorkItem.ContinueAsNew.class::isInstance);
        this.execution = turn.item().executionId() + (isNext ? 1 : 0);
        List<HistoryEvent> history = isNext ? List.of() : turn.item().history();
        this.draft = new TurnDraft(instance(), execution, history, now);
        this.before = history.size();
    }

    /** What the turn comes to; nothing when it must wait for its next execution to begin. */
    public static Optional<TurnAck> of(LockedTurn turn, Program.Code code, long now, Consumer<String> violation) {
        return new Replay(turn, code, now, violation).run();
    }

    private Optional<TurnAck> run() {
        if (before > 0 && last() instanceof EventKind.OrchestrationContinuedAsNew) {
            return Optional.empty();
        }
        if (before == 0 || !isEnd(last())) {
            // Whatever else came along: the beginning is first.
            turn.item().messages().forEach(this::begin);
            if (draft.events().isEmpty()) {
                violation.accept("a turn of what has not begun: " + turn.item());
                return Optional.empty();
            }
            turn.item().messages().forEach(this::take);
            if (cancelRequested) {
                stop();
            } else {
                goOn();
            }
        }
        draft.metadata(metadata -> turn.ext() == null ? metadata : metadata.withExt(SEEN));
        return Optional.of(draft.ack(turn.lockToken()));
    }

    private String instance() {
        return turn.item().instance();
    }

    private EventKind last() {
        return turn.item().history().get(before - 1).kind();
    }

    public static boolean isEnd(EventKind kind) {
        return kind instanceof EventKind.OrchestrationCompleted || kind instanceof EventKind.OrchestrationFailed;
    }

    private void begin(WorkItem message) {
        if (!draft.events().isEmpty()) {
            return;
        }
        if (message instanceof WorkItem.StartOrchestration start) {
            begin(
                    start.orchestration(),
                    start.input(),
                    start.parentInstance(),
                    start.parentId(),
                    start.parentExecutionId());
            draft.metadata(metadata -> metadata.withParent(start.parentInstance()));
        } else if (message instanceof WorkItem.ContinueAsNew next) {
            begin(next.orchestration(), next.input(), next.parentInstance(), next.parentId(), next.parentExecutionId());
        }
    }

    private void begin(
            String name,
            String input,
            @Nullable String parent,
            @Nullable Long parentId,
            @Nullable Long parentExecution) {
        draft.add(new EventKind.OrchestrationStarted(
                name, "1.0.0", input, parent, parentId, parentExecution, null, null));
        draft.metadata(metadata -> metadata.withOrchestration(name, "1.0.0"));
    }

    private void take(WorkItem message) {
        if (message instanceof WorkItem.ActivityCompleted done && done.executionId() == execution) {
            complete(message, done.id(), new EventKind.ActivityCompleted(done.result()));
        } else if (message instanceof WorkItem.TimerFired fired && fired.executionId() == execution) {
            complete(message, fired.id(), new EventKind.TimerFired(fired.fireAtMillis()));
        } else if (message instanceof WorkItem.SubOrchCompleted done && done.parentExecutionId() == execution) {
            complete(message, done.parentId(), new EventKind.SubOrchestrationCompleted(done.result()));
        } else if (message instanceof WorkItem.SubOrchFailed failed && failed.parentExecutionId() == execution) {
            complete(message, failed.parentId(), new EventKind.SubOrchestrationFailed(failed.details()));
        } else if (message instanceof WorkItem.ExternalRaised raised) {
            draft.add(new EventKind.ExternalEvent(raised.name(), raised.data()));
        } else if (message instanceof WorkItem.CancelInstance cancel && !cancelRequested) {
            cancelRequested = true;
            draft.add(new EventKind.OrchestrationCancelRequested(cancel.reason()));
        }
    }

    private void complete(WorkItem message, long scheduledBy, EventKind kind) {
        if (scheduledBy > before
                || !TurnDraft.isScheduling(
                        draft.events().get((int) scheduledBy - 1).kind())) {
            violation.accept("a completion of what was never scheduled: " + message);
        } else if (draft.isDone(scheduledBy)) {
            violation.accept("a second copy of " + message);
        } else {
            draft.add(kind, scheduledBy);
        }
    }

    /** Runs the program over its events, as far as they go, and lets it do what comes next. */
    private void goOn() {
        var steps = new Steps(draft);
        var program = code.of(instance(), execution);
        if (program.steps().stream().allMatch(steps::isDone)) {
            end(program.end());
        }
    }

    private void end(Program.End end) {
        var started = (EventKind.OrchestrationStarted) draft.events().get(0).kind();
        switch (end) {
            case COMPLETED -> {
                draft.complete("done in " + execution);
                answer(started, false);
            }
            case FAILED -> fail("it was meant to");
            case CONTINUED -> {
                draft.add(new EventKind.OrchestrationContinuedAsNew("{}"));
                draft.metadata(metadata -> metadata.withStatus("ContinuedAsNew", "{}"));
                draft.send(new WorkItem.ContinueAsNew(
                        instance(),
                        started.name(),
                        "{}",
                        "1.0.0",
                        started.parentInstance(),
                        started.parentId(),
                        started.parentExecutionId(),
                        List.of(),
                        null));
            }
        }
    }

    private void fail(String why) {
        draft.fail(why);
        answer((EventKind.OrchestrationStarted) draft.events().get(0).kind(), true);
    }

    private void answer(EventKind.OrchestrationStarted started, boolean failed) {
        var parent = started.parentInstance();
        var parentId = started.parentId();
        var parentExecution = started.parentExecutionId();
        if (parent != null && parentId != null && parentExecution != null) {
            draft.send(
                    failed
                            ? new WorkItem.SubOrchFailed(
                                    parent, parentExecution, parentId, TurnDraft.error("it failed"))
                            : new WorkItem.SubOrchCompleted(parent, parentExecution, parentId, "done"));
        }
    }

    /** Cancels what is under way, and ends. */
    private void stop() {
        for (var event : draft.events()) {
            if (TurnDraft.isScheduling(event.kind()) && !draft.isDone(event.eventId())) {
                if (event.kind() instanceof EventKind.ActivityScheduled) {
                    draft.cancel(execution, event.eventId());
                } else if (event.kind() instanceof EventKind.SubOrchestrationScheduled child) {
                    draft.send(new WorkItem.CancelInstance(child.instance(), "the parent was cancelled"));
                }
            }
        }
        fail("cancelled");
    }
}
