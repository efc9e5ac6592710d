package io.sluice.relay.ledger;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One turn of the run's only orchestration: every message becomes an event, and every order (an external event called
 * {@code go}) becomes some intents to instances chosen by its number, and some events more. A child answers its parent.
 */
final class Turn {
    static final String GO = "go";
    private static final String VERSION = "0.1.32";
    private static final String NAME = "Order";

    private final OrchestrationItem item;
    private final Load load;
    private final List<HistoryEvent> events = new ArrayList<>();
    private final List<WorkItem> activities = new ArrayList<>();
    private final List<WorkItem> messages = new ArrayList<>();
    private long lastEvent;
    private ExecutionMetadata metadata = ExecutionMetadata.NONE;

    /**
     * What turns are made of.
     *
     * @param seed of all choices
     * @param instances how many there are
     * @param intents sent per order
     * @param filling events per order that say nothing
     */
    record Load(long seed, int instances, int intents, int filling) {
        String instance(int index) {
            return "order-" + index;
        }
    }

    private Turn(OrchestrationItem item, Load load) {
        this.item = item;
        this.load = load;
        this.lastEvent =
                item.history().stream().mapToLong(HistoryEvent::eventId).max().orElse(0);
    }

    /** What to commit for a turn that was fetched. */
    static TurnAck of(LockedTurn locked, Load load) {
        var turn = new Turn(locked.item(), load);
        locked.item().messages().forEach(turn::take);
        return TurnAck.of(locked.lockToken(), locked.item().executionId())
                .withHistory(turn.events)
                .withWorkerItems(turn.activities)
                .withOrchestratorItems(turn.messages)
                .withMetadata(turn.metadata);
    }

    private void take(WorkItem message) {
        if (message instanceof WorkItem.StartOrchestration start) {
            start(start);
        } else if (message instanceof WorkItem.ExternalRaised raised) {
            add(new EventKind.ExternalEvent(raised.name(), raised.data()));
            if (raised.name().equals(GO)) {
                obey(Long.parseLong(raised.data()));
            }
        } else if (message instanceof WorkItem.QueueMessage queued) {
            add(new EventKind.ExternalEventPersistent(queued.name(), queued.data()));
        } else if (message instanceof WorkItem.CancelInstance cancel) {
            add(new EventKind.OrchestrationCancelRequested(cancel.reason()));
        } else if (message instanceof WorkItem.SubOrchCompleted completed) {
            add(new EventKind.SubOrchestrationCompleted(completed.result()));
        } else if (message instanceof WorkItem.SubOrchFailed failed) {
            add(new EventKind.SubOrchestrationFailed(failed.details()));
        } else if (message instanceof WorkItem.ActivityCompleted completed) {
            add(new EventKind.ActivityCompleted(completed.result()));
        } else {
            throw new IllegalStateException("nobody sent " + message);
        }
    }

    private void start(WorkItem.StartOrchestration start) {
        var parent = start.parentInstance();
        add(new EventKind.OrchestrationStarted(
                NAME, VERSION, start.input(), parent, start.parentId(), start.parentExecutionId(), null, null));
        metadata = metadata.withOrchestration(NAME, VERSION).withParent(parent);
        if (parent != null) {
            long id = start.parentId() == null ? 0 : start.parentId();
            messages.add(
                    new WorkItem.SubOrchCompleted(parent, 1, id, send(parent).toString()));
            metadata = metadata.withStatus("Completed", "done");
        }
    }

    private void obey(long number) {
        var random = new Random(load.seed() * 31 + number);
        for (int i = 0; i < load.intents(); i++) {
            sendOne((int) ((number + i) % 7), load.instance(random.nextInt(load.instances())));
        }
        for (int i = 0; i < load.filling(); i++) {
            add(new EventKind.ExternalSubscribed("filling " + i));
        }
    }

    private void sendOne(int kind, String target) {
        if (kind == 0 || target.equals(item.instance())) {
            startChild();
            return;
        }
        var tag = send(target).toString();
        var failure = new ErrorDetails.Application(ErrorDetails.ApplicationKind.Plain.ORCHESTRATION_FAILED, tag, false);
        switch (kind) {
            case 1 -> messages.add(new WorkItem.QueueMessage(target, "tag", tag));
            case 2 -> messages.add(new WorkItem.CancelInstance(target, tag));
            case 3 -> messages.add(new WorkItem.SubOrchCompleted(target, 1, lastEvent, tag));
            case 4 -> messages.add(new WorkItem.SubOrchFailed(target, 1, lastEvent, failure));
            case 5 -> activities.add(new WorkItem.ActivityExecute(target, 1, lastEvent, "Tag", tag, null, null));
            default -> messages.add(new WorkItem.ExternalRaised(target, "tag", tag));
        }
    }

    private void startChild() {
        var child = item.instance() + "::sub::" + (lastEvent + 1);
        var tag = send(child);
        messages.add(new WorkItem.StartOrchestration(
                child, NAME, tag.toString(), null, item.instance(), tag.number(), 1L, 1));
    }

    private Tag send(String target) {
        var tag = new Tag(item.instance(), lastEvent + 1, target);
        add(tag.sent());
        return tag;
    }

    private void add(EventKind kind) {
        lastEvent++;
        events.add(HistoryEvent.of(
                lastEvent, item.instance(), item.executionId(), System.currentTimeMillis(), VERSION, kind));
    }
}
