package io.sluice.provider.model;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.CarriedEvent;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * An ack as a runtime might send it: an execution begins with event 1 and its name, ends with an event that says how,
 * and goes on after neither. What lies between is drawn.
 */
final class AckDraw {
    private static final String RUNTIME = "0.1.32";
    private static final int MOST_STEPS = 4;
    /** More than one batch holds. */
    private static final int MANY = 110;

    private final OrchestrationItem item;
    private final List<WorkItem.ActivityExecute> queued;
    private final long now;
    private final SplittableRandom random;
    private final List<HistoryEvent> events = new ArrayList<>();
    private final List<WorkItem> activities = new ArrayList<>();
    private final List<WorkItem> messages = new ArrayList<>();
    private final List<ScheduledActivityIdentifier> cancelled = new ArrayList<>();
    private final boolean begins;
    private final long execution;
    private ExecutionMetadata metadata = ExecutionMetadata.NONE;

    private AckDraw(OrchestrationItem item, List<WorkItem.ActivityExecute> queued, long now, SplittableRandom random) {
        this.item = item;
        this.queued = queued;
        this.now = now;
        this.random = random;
        boolean continues = last() instanceof EventKind.OrchestrationContinuedAsNew
                && item.messages().stream().anyMatch(WorkItem.ContinueAsNew.class::isInstance);
        this.begins = continues || item.history().isEmpty();
        this.execution = item.executionId() + (continues ? 1 : 0);
    }

    /**
     * The ack of a turn.
     *
     * @param queued the activities of the instance that could be cancelled
     */
    static TurnAck of(
            String token,
            OrchestrationItem item,
            List<WorkItem.ActivityExecute> queued,
            long now,
            SplittableRandom random) {
        return new AckDraw(item, queued, now, random).ack(token);
    }

    /** One that says again what the history says. */
    static TurnAck duplicate(String token, OrchestrationItem item, long now) {
        var again = item.history().get(item.history().size() - 1);
        var event = HistoryEvent.of(
                again.eventId(),
                item.instance(),
                item.executionId(),
                now,
                RUNTIME,
                new EventKind.KeyValueSet(Draw.keys().get(0), "lost", now));
        return TurnAck.of(token, item.executionId())
                .withHistory(List.of(event))
                .withOrchestratorItems(List.of(new WorkItem.ExternalRaised(item.instance(), "lost", "{}")));
    }

    private TurnAck ack(String token) {
        if (begins || !isEnd(last())) {
            if (begins) {
                begin();
            }
            int steps = random.nextInt(MOST_STEPS + 1);
            for (int i = 0; i < steps; i++) {
                step();
            }
            if (Draw.oneIn(5, random)) {
                end();
            }
        }
        return TurnAck.of(token, execution)
                .withHistory(events)
                .withWorkerItems(activities)
                .withOrchestratorItems(messages)
                .withMetadata(metadata)
                .withCancelledActivities(cancelled);
    }

    private @Nullable EventKind last() {
        return item.history().isEmpty()
                ? null
                : item.history().get(item.history().size() - 1).kind();
    }

    private static boolean isEnd(@Nullable EventKind kind) {
        return kind instanceof EventKind.OrchestrationCompleted
                || kind instanceof EventKind.OrchestrationFailed
                || kind instanceof EventKind.OrchestrationContinuedAsNew;
    }

    private String name() {
        return "Orch-" + item.instance();
    }

    private long nextId() {
        return 1
                + events.size()
                + (begins ? 0 : item.history().get(item.history().size() - 1).eventId());
    }

    private long add(EventKind kind) {
        long id = nextId();
        events.add(HistoryEvent.of(id, item.instance(), execution, now, RUNTIME, kind));
        return id;
    }

    private void begin() {
        var parent = item.messages().stream()
                .filter(WorkItem.StartOrchestration.class::isInstance)
                .map(start -> ((WorkItem.StartOrchestration) start).parentInstance())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        var carried =
                Draw.oneIn(4, random) ? List.of(new CarriedEvent("news", "{}"), new CarriedEvent("more", "")) : null;
        add(new EventKind.OrchestrationStarted(name(), "1.0.0", "{}", parent, null, null, carried, null));
        metadata = metadata.withOrchestration(name(), "1.0.0");
        if (execution == 1) {
            metadata = metadata.withParent(parent);
        }
        if (Draw.oneIn(3, random)) {
            metadata = metadata.withPinnedVersion(random.nextBoolean() ? Draw.OLD : Draw.NEW);
        }
    }

    private void step() {
        switch (random.nextInt(14)) {
            case 0, 1 -> add(new EventKind.KeyValueSet(Draw.key(random), "v" + random.nextInt(100), now));
            case 2 -> add(new EventKind.KeyValueCleared(Draw.key(random)));
            case 3 -> add(new EventKind.KeyValuesCleared());
            case 4 -> add(new EventKind.CustomStatusUpdated(random.nextBoolean() ? "at " + random.nextInt(9) : null));
            case 5, 6, 7 -> schedule();
            case 8 -> timer();
            case 9 -> child();
            case 10 -> send();
            case 11 -> cancel();
            case 12 -> many();
            default -> add(new EventKind.ExternalSubscribed("event"));
        }
    }

    private void schedule() {
        var session = Draw.session(random);
        var tag = Draw.tag(random);
        long id = add(new EventKind.ActivityScheduled("work", "{}", session, tag));
        activities.add(new WorkItem.ActivityExecute(item.instance(), execution, id, "work", "{}", session, tag));
    }

    private void timer() {
        long fireAt = now + random.nextLong(-1_000, 20_000);
        long id = add(new EventKind.TimerCreated(fireAt));
        messages.add(new WorkItem.TimerFired(item.instance(), execution, id, fireAt));
    }

    /**
     * Its start shows in no event: a store that knows of a child before it started would be stricter with deletions
     * than the contract.
     */
    private void child() {
        long id = add(new EventKind.ExternalSubscribed("child"));
        var child = Draw.child(item.instance(), random);
        messages.add(new WorkItem.StartOrchestration(
                child, "Orch-" + child, "{}", "1.0.0", item.instance(), id, execution, 1));
    }

    private void send() {
        var other = random.nextBoolean() ? item.instance() : Draw.instance(random);
        messages.add(
                switch (random.nextInt(3)) {
                    case 0 -> new WorkItem.QueueMessage(other, "queue", "from " + item.instance());
                    case 1 -> new WorkItem.CancelInstance(other, "from " + item.instance());
                    default -> new WorkItem.ExternalRaised(other, "event", "from " + item.instance());
                });
    }

    private void cancel() {
        if (!activities.isEmpty() && random.nextBoolean()) {
            var doomed = (WorkItem.ActivityExecute) Draw.of(activities, random);
            cancelled.add(new ScheduledActivityIdentifier(doomed.instance(), doomed.executionId(), doomed.id()));
        } else if (!queued.isEmpty()) {
            var doomed = Draw.of(queued, random);
            cancelled.add(new ScheduledActivityIdentifier(doomed.instance(), doomed.executionId(), doomed.id()));
        } else {
            cancelled.add(new ScheduledActivityIdentifier(item.instance(), execution, 4_711));
        }
    }

    private void many() {
        if (Draw.oneIn(3, random)) {
            for (int i = 0; i < MANY; i++) {
                add(new EventKind.KeyValueSet("many" + i, "value", now));
            }
        }
    }

    private void end() {
        var text = "end " + random.nextInt(100);
        switch (random.nextInt(4)) {
            case 0 -> {
                add(new EventKind.OrchestrationCompleted(text));
                metadata = metadata.withStatus("Completed", text);
            }
            case 1 -> {
                add(new EventKind.OrchestrationFailed(new ErrorDetails.Infrastructure("model", text, false)));
                metadata = metadata.withStatus("Failed", text);
            }
            default -> {
                add(new EventKind.OrchestrationContinuedAsNew(text));
                metadata = metadata.withStatus("ContinuedAsNew", text);
                messages.add(new WorkItem.ContinueAsNew(
                        item.instance(), name(), text, "1.0.0", null, null, null, List.of(), null));
            }
        }
    }
}
