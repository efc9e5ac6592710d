package io.sluice.benchmarks.dispatch;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Orchestrations without user code: some activities at once, or a child, and then the end. */
final class Order {
    private static final String ORDER = "Order";
    private static final String PARENT = "Parent";
    private static final String ACTIVITY = "Charge";
    private static final String LONE = "Alone";
    private static final String VERSION = "0.1.32";
    private static final long FIRST_STEP = 2;

    private Order() {}

    /** Starts one that ends when its activities, all queued by its first turn, have completed; with none at once. */
    static WorkItem start(String instance, int activities) {
        return start(instance, ORDER, activities);
    }

    /** Starts one that ends when its only child has, which ends at once. */
    static WorkItem startParent(String instance) {
        return start(instance, PARENT, 0);
    }

    private static WorkItem start(String instance, String name, int activities) {
        return new WorkItem.StartOrchestration(
                instance, name, Integer.toString(activities), "1.0.0", null, null, null, 1);
    }

    /** An activity that no orchestration waits for. */
    static WorkItem loneActivity(String instance) {
        return new WorkItem.ActivityExecute(instance, 1, FIRST_STEP, LONE, "{}", null, null);
    }

    /** What the activity answers; null when nobody waits for it. */
    static @Nullable WorkItem result(WorkItem.ActivityExecute activity) {
        return activity.name().equals(LONE)
                ? null
                : new WorkItem.ActivityCompleted(activity.instance(), 1, activity.id(), "{}");
    }

    private static WorkItem activity(String instance, long id) {
        return new WorkItem.ActivityExecute(instance, 1, id, ACTIVITY, "{}", null, null);
    }

    /** What the turn does. */
    static TurnAck decide(LockedTurn turn) {
        var item = turn.item();
        var ack = TurnAck.of(turn.lockToken(), item.executionId());
        for (var message : item.messages()) {
            if (message instanceof WorkItem.StartOrchestration start
                    && item.history().isEmpty()) {
                return begin(ack, start);
            }
        }
        return goOn(ack, turn);
    }

    /** Whether the ack ends the instance. */
    static boolean isEnd(TurnAck ack) {
        return ack.historyDelta().stream().anyMatch(event -> event.kind() instanceof EventKind.OrchestrationCompleted);
    }

    private static TurnAck begin(TurnAck ack, WorkItem.StartOrchestration start) {
        List<EventKind> kinds = new ArrayList<>();
        kinds.add(new EventKind.OrchestrationStarted(
                start.orchestration(),
                "1.0.0",
                start.input(),
                start.parentInstance(),
                start.parentId(),
                start.parentExecutionId(),
                null,
                null));
        if (start.orchestration().equals(PARENT)) {
            return beginParent(ack, start, kinds);
        }
        int activities = Integer.parseInt(start.input());
        if (activities == 0) {
            kinds.add(new EventKind.OrchestrationCompleted("{}"));
            return with(ack, start.instance(), 0, kinds)
                    .withOrchestratorItems(answers(start))
                    .withMetadata(ended());
        }
        for (int i = 0; i < activities; i++) {
            kinds.add(new EventKind.ActivityScheduled(ACTIVITY, "{}", null, null));
        }
        return with(ack, start.instance(), 0, kinds)
                .withWorkerItems(LongStream.range(FIRST_STEP, FIRST_STEP + activities)
                        .mapToObj(id -> activity(start.instance(), id))
                        .toList())
                .withMetadata(named());
    }

    private static TurnAck beginParent(TurnAck ack, WorkItem.StartOrchestration start, List<EventKind> kinds) {
        String parent = start.instance();
        String child = parent + "::sub::" + FIRST_STEP;
        kinds.add(new EventKind.SubOrchestrationScheduled(ORDER, child, "0"));
        return with(ack, parent, 0, kinds)
                .withOrchestratorItems(
                        List.of(new WorkItem.StartOrchestration(child, ORDER, "0", null, parent, FIRST_STEP, 1L, 1)))
                .withMetadata(named());
    }

    private static List<WorkItem> answers(WorkItem.StartOrchestration child) {
        String parent = child.parentInstance();
        Long id = child.parentId();
        return parent == null || id == null ? List.of() : List.of(new WorkItem.SubOrchCompleted(parent, 1, id, "{}"));
    }

    private static TurnAck goOn(TurnAck ack, LockedTurn turn) {
        var history = turn.item().history();
        List<EventKind> kinds = new ArrayList<>();
        for (var message : turn.item().messages()) {
            if (message instanceof WorkItem.ActivityCompleted) {
                kinds.add(new EventKind.ActivityCompleted("{}"));
            } else if (message instanceof WorkItem.SubOrchCompleted) {
                kinds.add(new EventKind.SubOrchestrationCompleted("{}"));
            }
        }
        long done = kinds.size() + history.stream().filter(Order::isResult).count();
        long wanted = history.stream().filter(Order::isStep).count();
        boolean isEnd = done >= wanted;
        if (isEnd) {
            kinds.add(new EventKind.OrchestrationCompleted("{}"));
        }
        return with(ack, turn.item().instance(), history.size(), kinds).withMetadata(isEnd ? ended() : named());
    }

    private static boolean isStep(HistoryEvent event) {
        return event.kind() instanceof EventKind.ActivityScheduled
                || event.kind() instanceof EventKind.SubOrchestrationScheduled;
    }

    private static boolean isResult(HistoryEvent event) {
        return event.kind() instanceof EventKind.ActivityCompleted
                || event.kind() instanceof EventKind.SubOrchestrationCompleted;
    }

    private static TurnAck with(TurnAck ack, String instance, long before, List<EventKind> kinds) {
        List<HistoryEvent> events = new ArrayList<>();
        for (var kind : kinds) {
            long id = before + events.size() + 1;
            events.add(HistoryEvent.of(id, instance, 1, System.currentTimeMillis(), VERSION, kind));
        }
        return ack.withHistory(events);
    }

    private static ExecutionMetadata named() {
        return ExecutionMetadata.NONE.withOrchestration(ORDER, "1.0.0");
    }

    private static ExecutionMetadata ended() {
        return named().withStatus("Completed", "{}");
    }
}
