package io.sluice.provider.world.game;

import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.CarriedEvent;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.world.program.TurnDraft;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * An ack as a runtime might send it: an execution begins with event 1 and its name, ends with an event that says how,
 * and goes on after neither. What lies between is drawn.
 */
final class AckDraw {
    private static final int MOST_STEPS = 4;
    /** More than one batch holds. */
    private static final int MANY = 110;

    private final OrchestrationItem item;
    private final List<WorkItem.ActivityExecute> queued;
    private final long now;
    private final SplittableRandom random;
    private final TurnDraft draft;
    private final boolean begins;
    private final long execution;

    private AckDraw(OrchestrationItem item, List<WorkItem.ActivityExecute> queued, long now, SplittableRandom random) {
        this.item = item;
        this.queued = queued;
        this.now = now;
        this.random = random;
        boolean continues = last() instanceof EventKind.OrchestrationContinuedAsNew
                && item.messages().stream().anyMatch(WorkItem.ContinueAsNew.class::isInstance);
        this.begins = continues || item.history().isEmpty();
        this.execution = item.executionId() + (continues ? 1 : 0);
        this.draft = new TurnDraft(item.instance(), execution, begins ? List.of() : item.history(), now);
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
        var before = item.history().subList(0, item.history().size() - 1);
        var draft = new TurnDraft(item.instance(), item.executionId(), before, now);
        draft.add(new EventKind.KeyValueSet(Draw.keys().get(0), "lost", now));
        draft.send(new WorkItem.ExternalRaised(item.instance(), "lost", "{}"));
        return draft.ack(token);
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
        return draft.ack(token);
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

    private void begin() {
        var parent = item.messages().stream()
                .filter(WorkItem.StartOrchestration.class::isInstance)
                .map(start -> ((WorkItem.StartOrchestration) start).parentInstance())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        var carried =
                Draw.oneIn(4, random) ? List.of(new CarriedEvent("news", "{}"), new CarriedEvent("more", "")) : null;
        draft.add(new EventKind.OrchestrationStarted(name(), "1.0.0", "{}", parent, null, null, carried, null));
        draft.metadata(metadata -> metadata.withOrchestration(name(), "1.0.0"));
        if (execution == 1) {
            draft.metadata(metadata -> metadata.withParent(parent));
        }
        if (Draw.oneIn(3, random)) {
            draft.metadata(metadata -> metadata.withPinnedVersion(random.nextBoolean() ? Draw.OLD : Draw.NEW));
        }
    }

    private void step() {
        switch (random.nextInt(14)) {
            case 0, 1 -> draft.add(new EventKind.KeyValueSet(Draw.key(random), "v" + random.nextInt(100), now));
            case 2 -> draft.add(new EventKind.KeyValueCleared(Draw.key(random)));
            case 3 -> draft.add(new EventKind.KeyValuesCleared());
            case 4 ->
                draft.add(new EventKind.CustomStatusUpdated(random.nextBoolean() ? "at " + random.nextInt(9) : null));
            case 5, 6, 7 -> draft.schedule(Draw.session(random), Draw.tag(random));
            case 8 -> draft.createTimer(now + random.nextLong(-1_000, 20_000));
            case 9 -> child();
            case 10 -> send();
            case 11 -> cancel();
            case 12 -> many();
            default -> draft.add(new EventKind.ExternalSubscribed("event"));
        }
    }

    /**
     * Its start shows in no event: a store that knows of a child before it started would be stricter with deletions
     * than the contract.
     */
    private void child() {
        long id = draft.add(new EventKind.ExternalSubscribed("child"));
        var child = Draw.child(item.instance(), random);
        draft.send(new WorkItem.StartOrchestration(
                child, "Orch-" + child, "{}", "1.0.0", item.instance(), id, execution, 1));
    }

    private void send() {
        var other = random.nextBoolean() ? item.instance() : Draw.instance(random);
        draft.send(
                switch (random.nextInt(3)) {
                    case 0 -> new WorkItem.QueueMessage(other, "queue", "from " + item.instance());
                    case 1 -> new WorkItem.CancelInstance(other, "from " + item.instance());
                    default -> new WorkItem.ExternalRaised(other, "event", "from " + item.instance());
                });
    }

    private void cancel() {
        if (!draft.activities().isEmpty() && random.nextBoolean()) {
            var doomed = (WorkItem.ActivityExecute) Draw.of(draft.activities(), random);
            draft.cancel(doomed.executionId(), doomed.id());
        } else if (!queued.isEmpty()) {
            var doomed = Draw.of(queued, random);
            draft.cancel(doomed.executionId(), doomed.id());
        } else {
            draft.cancel(execution, 4_711);
        }
    }

    private void many() {
        if (Draw.oneIn(3, random)) {
            for (int i = 0; i < MANY; i++) {
                draft.add(new EventKind.KeyValueSet("many" + i, "value", now));
            }
        }
    }

    private void end() {
        var text = "end " + random.nextInt(100);
        switch (random.nextInt(4)) {
            case 0 -> draft.complete(text);
            case 1 -> draft.fail(text);
            default -> {
                draft.add(new EventKind.OrchestrationContinuedAsNew(text));
                draft.metadata(metadata -> metadata.withStatus("ContinuedAsNew", text));
                draft.send(new WorkItem.ContinueAsNew(
                        item.instance(), name(), text, "1.0.0", null, null, null, List.of(), null));
            }
        }
    }
}
