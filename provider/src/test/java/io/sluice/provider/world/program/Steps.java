package io.sluice.provider.world.program;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A program's place in the events that it made itself. */
final class Steps {
    private final TurnDraft draft;
    private final List<HistoryEvent> own;
    private final List<Long> spare = new ArrayList<>();
    private int place;

    Steps(TurnDraft draft) {
        this.draft = draft;
        this.own = draft.events().stream()
                .filter(event -> TurnDraft.isScheduling(event.kind())
                        || event.kind() instanceof EventKind.ExternalSubscribed
                        || event.kind() instanceof EventKind.KeyValueSet
                        || event.kind() instanceof EventKind.KeyValueCleared
                        || event.kind() instanceof EventKind.KeyValuesCleared
                        || event.kind() instanceof EventKind.CustomStatusUpdated
                        || event.kind() instanceof EventKind.ActivityCancelRequested)
                .toList();
    }

    /** The id of the program's next event, which is made now if it was not before. */
    private long next(EventKind kind, @Nullable Long source) {
        if (place < own.size()) {
            return own.get(place++).eventId();
        }
        return draft.add(kind, source);
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
        } else if (step instanceof Program.Timers some) {
            return timers(some);
        } else if (step instanceof Program.Event event) {
            next(new EventKind.ExternalSubscribed(event.name()), null);
            return draft.events().stream()
                    .anyMatch(each -> each.kind() instanceof EventKind.ExternalEvent raised
                            && raised.name().equals(event.name()));
        } else if (step instanceof Program.Values values) {
            set(values);
        } else if (step instanceof Program.ManyValues many) {
            for (int i = 0; i < many.count(); i++) {
                next(new EventKind.KeyValueSet("many" + i, "value", draft.now()), null);
            }
        } else if (step instanceof Program.Status status) {
            next(new EventKind.CustomStatusUpdated(status.text()), null);
        } else if (step instanceof Program.Spare some) {
            for (int i = 0; i < some.count(); i++) {
                spare.add(activity(null, some.served() ? null : Replay.UNSERVED));
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
        return isNew() ? draft.schedule(session, tag) : own.get(place++).eventId();
    }

    private boolean activities(Program.Activities some) {
        boolean done = true;
        for (int i = 0; i < some.count(); i++) {
            done &= draft.isDone(activity(some.inSession() ? "session" : null, null));
        }
        return done;
    }

    private boolean timers(Program.Timers some) {
        boolean done = true;
        for (int i = 0; i < some.count(); i++) {
            long id = isNew()
                    ? draft.createTimer(draft.now() + some.millis())
                    : own.get(place++).eventId();
            done &= draft.isDone(id);
        }
        return done;
    }

    private boolean children(int count) {
        boolean done = true;
        for (int i = 0; i < count; i++) {
            boolean isNew = isNew();
            // Of which execution it is must be told, for ids of events begin anew.
            var child = isNew
                    ? draft.instance() + Replay.CHILD + draft.execution() + "-" + draft.nextId()
                    : ((EventKind.SubOrchestrationScheduled) own.get(place).kind()).instance();
            long id = next(new EventKind.SubOrchestrationScheduled("Child", child, "{}"), null);
            if (isNew) {
                draft.send(new WorkItem.StartOrchestration(
                        child, "Child", "{}", "1.0.0", draft.instance(), id, draft.execution(), 1));
            }
            done &= draft.isDone(id);
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
                            : new EventKind.KeyValueSet(key, value, draft.now()),
                    null);
        }
    }

    private void cancel(long doomed) {
        boolean isNew = isNew();
        next(new EventKind.ActivityCancelRequested("not needed"), doomed);
        if (isNew) {
            draft.cancel(draft.execution(), doomed);
        }
    }
}
