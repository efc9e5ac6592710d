package io.sluice.provider.world;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.InstanceExt;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.ExtraFields;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a program: its messages become events, and what the program does next follows from all events. A
 * completion that nobody waits for any more is passed over; one that comes twice is a violation.
 */
final class Replay {
    /** Stands in the names of children. */
    static final String CHILD = "::sub::";
    /** What no worker serves. */
    static final String UNSERVED = "gpu";

    /** What is kept along with an instance whose first turn has seen what was given along. */
    private static final InstanceExt SEEN = new InstanceExt("{\"status\":\"SEEN\"}");

    private static final String RUNTIME = "0.1.32";

    private final LockedTurn turn;
    private final Program.Code code;
    private final long now;
    private final Consumer<String> violation;
    private final List<HistoryEvent> events = new ArrayList<>();
    private final int before;
    private final List<WorkItem> activities = new ArrayList<>();
    private final List<WorkItem> messages = new ArrayList<>();
    private final List<ScheduledActivityIdentifier> cancelled = new ArrayList<>();
    private final long execution;
    private ExecutionMetadata metadata = ExecutionMetadata.NONE;
    private boolean cancelRequested;

    private Replay(LockedTurn turn, Program.Code code, long now, Consumer<String> violation) {
        this.turn = turn;
        this.code = code;
        this.now = now;
        this.violation = violation;
        boolean isNext = turn.item().messages().stream().anyMatch(WorkItem.ContinueAsNew.class::isInstance);
        this.execution = turn.item().executionId() + (isNext ? 1 : 0);
        if (!isNext) {
            events.addAll(turn.item().history());
        }
        this.before = events.size();
    }

    /** What the turn comes to; nothing when it must wait for its next execution to begin. */
    static Optional<TurnAck> of(LockedTurn turn, Program.Code code, long now, Consumer<String> violation) {
        return new Replay(turn, code, now, violation).run();
    }

    private Optional<TurnAck> run() {
        if (!turn.item().history().isEmpty() && before > 0 && last() instanceof EventKind.OrchestrationContinuedAsNew) {
            return Optional.empty();
        }
        if (before == 0 || !isEnd(last())) {
            // Whatever else came along: the beginning is first.
            turn.item().messages().forEach(this::begin);
            if (events.isEmpty()) {
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
        return Optional.of(TurnAck.of(turn.lockToken(), execution)
                .withHistory(events.subList(before, events.size()))
                .withWorkerItems(activities)
                .withOrchestratorItems(messages)
                .withMetadata(turn.ext() == null ? metadata : metadata.withExt(SEEN))
                .withCancelledActivities(cancelled));
    }

    private String instance() {
        return turn.item().instance();
    }

    private EventKind last() {
        return events.get(events.size() - 1).kind();
    }

    static boolean isEnd(EventKind kind) {
        return kind instanceof EventKind.OrchestrationCompleted || kind instanceof EventKind.OrchestrationFailed;
    }

    private long add(EventKind kind, @Nullable Long source) {
        long id = events.size() + 1L;
        events.add(new HistoryEvent(id, source, instance(), execution, now, RUNTIME, kind, ExtraFields.NONE));
        return id;
    }

    private void begin(WorkItem message) {
        if (message instanceof WorkItem.StartOrchestration start && events.isEmpty()) {
            add(
                    new EventKind.OrchestrationStarted(
                            start.orchestration(),
                            "1.0.0",
                            start.input(),
                            start.parentInstance(),
                            start.parentId(),
                            start.parentExecutionId(),
                            null,
                            null),
                    null);
            metadata =
                    metadata.withOrchestration(start.orchestration(), "1.0.0").withParent(start.parentInstance());
        } else if (message instanceof WorkItem.ContinueAsNew next && events.isEmpty()) {
            add(
                    new EventKind.OrchestrationStarted(
                            next.orchestration(),
                            "1.0.0",
                            next.input(),
                            next.parentInstance(),
                            next.parentId(),
                            next.parentExecutionId(),
                            null,
                            null),
                    null);
            metadata = metadata.withOrchestration(next.orchestration(), "1.0.0");
        }
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
            add(new EventKind.ExternalEvent(raised.name(), raised.data()), null);
        } else if (message instanceof WorkItem.CancelInstance cancel && !cancelRequested) {
            cancelRequested = true;
            add(new EventKind.OrchestrationCancelRequested(cancel.reason()), null);
        }
    }

    private void complete(WorkItem message, long scheduledBy, EventKind kind) {
        if (scheduledBy > before
                || !isScheduling(events.get((int) scheduledBy - 1).kind())) {
            violation.accept("a completion of what was never scheduled: " + message);
        } else if (isDone(scheduledBy)) {
            violation.accept("a second copy of " + message);
        } else {
            add(kind, scheduledBy);
        }
    }

    private static boolean isScheduling(EventKind kind) {
        return kind instanceof EventKind.ActivityScheduled
                || kind instanceof EventKind.TimerCreated
                || kind instanceof EventKind.SubOrchestrationScheduled;
    }

    private boolean isDone(long scheduledBy) {
        return events.stream()
                .anyMatch(event -> event.sourceEventId() != null
                        && event.sourceEventId() == scheduledBy
                        && !(event.kind() instanceof EventKind.ActivityCancelRequested));
    }

    /** Runs the program over its events, as far as they go, and lets it do what comes next. */
    private void goOn() {
        var steps = new Steps();
        var program = code.of(instance(), execution);
        if (program.steps().stream().allMatch(steps::isDone)) {
            end(program.end());
        }
    }

    private void end(Program.End end) {
        var started = (EventKind.OrchestrationStarted) events.get(0).kind();
        switch (end) {
            case COMPLETED -> {
                var output = "done in " + execution;
                add(new EventKind.OrchestrationCompleted(output), null);
                metadata = metadata.withStatus("Completed", output);
                answer(started, false);
            }
            case FAILED -> fail("it was meant to");
            case CONTINUED -> {
                add(new EventKind.OrchestrationContinuedAsNew("{}"), null);
                metadata = metadata.withStatus("ContinuedAsNew", "{}");
                messages.add(new WorkItem.ContinueAsNew(
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
        add(new EventKind.OrchestrationFailed(error(why)), null);
        metadata = metadata.withStatus("Failed", why);
        answer((EventKind.OrchestrationStarted) events.get(0).kind(), true);
    }

    private static ErrorDetails error(String why) {
        return new ErrorDetails.Infrastructure("simulation", why, false);
    }

    private void answer(EventKind.OrchestrationStarted started, boolean failed) {
        var parent = started.parentInstance();
        var parentId = started.parentId();
        var parentExecution = started.parentExecutionId();
        if (parent != null && parentId != null && parentExecution != null) {
            messages.add(
                    failed
                            ? new WorkItem.SubOrchFailed(parent, parentExecution, parentId, error("it failed"))
                            : new WorkItem.SubOrchCompleted(parent, parentExecution, parentId, "done"));
        }
    }

    /** Cancels what is under way, and ends. */
    private void stop() {
        for (var event : List.copyOf(events)) {
            if (isScheduling(event.kind()) && !isDone(event.eventId())) {
                if (event.kind() instanceof EventKind.ActivityScheduled) {
                    cancelled.add(new ScheduledActivityIdentifier(instance(), execution, event.eventId()));
                } else if (event.kind() instanceof EventKind.SubOrchestrationScheduled child) {
                    messages.add(new WorkItem.CancelInstance(child.instance(), "the parent was cancelled"));
                }
            }
        }
        fail("cancelled");
    }

    /** The program's place in the events that it made itself. */
    private final class Steps {
        private final List<HistoryEvent> own = events.stream()
                .filter(event -> isScheduling(event.kind())
                        || event.kind() instanceof EventKind.ExternalSubscribed
                        || event.kind() instanceof EventKind.KeyValueSet
                        || event.kind() instanceof EventKind.KeyValueCleared
                        || event.kind() instanceof EventKind.KeyValuesCleared
                        || event.kind() instanceof EventKind.CustomStatusUpdated
                        || event.kind() instanceof EventKind.ActivityCancelRequested)
                .toList();
        private final List<Long> spare = new ArrayList<>();
        private int place;

        /** The id of the program's next event, which is made now if it was not before. */
        private long next(EventKind kind, @Nullable Long source) {
            if (place < own.size()) {
                return own.get(place++).eventId();
            }
            return add(kind, source);
        }

        private boolean isNew() {
            return place >= own.size();
        }

        /** Does a step, or as much of it as can be done; whether it is over. */
        boolean isDone(Program.Step step) {
            if (step instanceof Program.Activities some) {
                return activities(some);
            } else if (step instanceof Program.Children some) {
                return children(some.count());
            } else if (step instanceof Program.Timer timer) {
                boolean isNew = isNew();
                long fireAt = now + timer.millis();
                long id = next(new EventKind.TimerCreated(fireAt), null);
                if (isNew) {
                    messages.add(new WorkItem.TimerFired(instance(), execution, id, fireAt));
                }
                return Replay.this.isDone(id);
            } else if (step instanceof Program.Event event) {
                next(new EventKind.ExternalSubscribed(event.name()), null);
                return events.stream()
                        .anyMatch(each -> each.kind() instanceof EventKind.ExternalEvent raised
                                && raised.name().equals(event.name()));
            } else if (step instanceof Program.Values values) {
                set(values);
            } else if (step instanceof Program.ManyValues many) {
                for (int i = 0; i < many.count(); i++) {
                    next(new EventKind.KeyValueSet("many" + i, "value", now), null);
                }
            } else if (step instanceof Program.Status status) {
                next(new EventKind.CustomStatusUpdated(status.text()), null);
            } else if (step instanceof Program.Spare some) {
                for (int i = 0; i < some.count(); i++) {
                    spare.add(activity(null, some.served() ? null : UNSERVED));
                }
            } else if (step instanceof Program.CancelSpare) {
                spare.forEach(this::cancel);
            } else if (step instanceof Program.Together all) {
                boolean done = true;
                for (var each : all.steps()) {
                    done &= isDone(each);
                }
                return done;
            }
            return true;
        }

        private long activity(@Nullable String session, @Nullable String tag) {
            boolean isNew = isNew();
            long id = next(new EventKind.ActivityScheduled("work", "{}", session, tag), null);
            if (isNew) {
                activities.add(new WorkItem.ActivityExecute(instance(), execution, id, "work", "{}", session, tag));
            }
            return id;
        }

        private boolean activities(Program.Activities some) {
            boolean done = true;
            for (int i = 0; i < some.count(); i++) {
                done &= Replay.this.isDone(activity(some.inSession() ? "session" : null, null));
            }
            return done;
        }

        private boolean children(int count) {
            boolean done = true;
            for (int i = 0; i < count; i++) {
                boolean isNew = isNew();
                // Of which execution it is must be told, for ids of events begin anew.
                var child = isNew
                        ? instance() + CHILD + execution + "-" + (events.size() + 1)
                        : ((EventKind.SubOrchestrationScheduled) own.get(place).kind()).instance();
                long id = next(new EventKind.SubOrchestrationScheduled("Child", child, "{}"), null);
                if (isNew) {
                    messages.add(new WorkItem.StartOrchestration(
                            child, "Child", "{}", "1.0.0", instance(), id, execution, 1));
                }
                done &= Replay.this.isDone(id);
            }
            return done;
        }

        private void set(Program.Values values) {
            if (values.clearedFirst()) {
                next(new EventKind.KeyValuesCleared(), null);
            }
            for (int i = 0; i < values.keys().size(); i++) {
                var key = values.keys().get(i);
                var value = values.values().get(i);
                next(
                        value.isEmpty()
                                ? new EventKind.KeyValueCleared(key)
                                : new EventKind.KeyValueSet(key, value, now),
                        null);
            }
        }

        private void cancel(long doomed) {
            boolean isNew = isNew();
            next(new EventKind.ActivityCancelRequested("not needed"), doomed);
            if (isNew) {
                cancelled.add(new ScheduledActivityIdentifier(instance(), execution, doomed));
            }
        }
    }
}
