package io.sluice.benchmarks;

import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Counts the requests of each operation of the provider, from the emulator's request log. Unlike times, counts are the
 * same on every machine.
 */
final class RequestsPerOperation {
    /** Takes more on a slow machine: what a query found is tried for half a second before the next query. */
    static final String FAN_OUT = "fan-out of 20";

    private static final int OTHERS = 500;

    private final CountedProcesses calls;

    private RequestsPerOperation(CountedProcesses calls) {
        this.calls = calls;
    }

    /** The cost of each operation with so many physical partitions, in the order of an instance's life. */
    static Map<String, RequestCost> measure(int physicalPartitions) {
        try (var emulated = EmulatedStore.start(physicalPartitions);
                var calls = new CountedProcesses(emulated)) {
            var run = new RequestsPerOperation(calls);
            run.turnOfANewInstance(); // first use reads ranges, and plans which the SDK keeps
            run.turnThatCancels();
            run.turnOfAThousandOperations();
            run.parentAndChild();
            calls.drainTurns();
            calls.drainActivities();
            calls.costs().clear();
            run.turnOfANewInstance();
            run.activity();
            run.activityOfASession();
            run.turnOfACachedInstance();
            run.turnOfAColdInstance();
            run.turnThatCancels();
            run.turnThatStartsAChild();
            run.turnOfAThousandOperations();
            run.helloWorld();
            run.fanOut();
            run.parentAndChild();
            run.turnAmongOthers();
            return calls.costs();
        }
    }

    private void turnOfANewInstance() {
        var instance = calls.nextInstance();
        calls.enqueueStart(instance);
        var turn = calls.counted("fetch of a turn, new instance", calls::fetchTurn);
        calls.counted("renew the lock of a turn", () -> {
            calls.turns().renewOrchestrationItemLock(turn.lockToken(), CountedProcesses.LOCK);
            return turn;
        });
        var ack = TurnAck.of(turn.lockToken(), 1)
                .withHistory(List.of(SampleOrders.started(instance), SampleOrders.scheduled(instance)))
                .withWorkerItems(List.of(new WorkItem.ActivityExecute(instance, 1, 2, "Charge", "{}", null, null)))
                .withMetadata(SampleOrders.named());
        calls.counted("ack of a turn, 2 events and 1 activity", () -> calls.ack(ack));
    }

    private void activity() {
        calls.drainActivities();
        var instance = calls.knownInstance();
        calls.client().enqueueForWorker(new WorkItem.ActivityExecute(instance, 1, 2, "Charge", "{}", null, null));
        var first = calls.counted("fetch of an activity", calls::fetchActivity);
        calls.counted("renew the lock of an activity", () -> {
            calls.activities().renewWorkItemLock(first.lockToken(), CountedProcesses.LOCK);
            return first;
        });
        calls.counted("abandon an activity", () -> {
            calls.activities().abandonWorkItem(first.lockToken(), null, true);
            return first;
        });
        var second = calls.fetchActivity();
        var completion = new WorkItem.ActivityCompleted(instance, 1, 2, "{}");
        calls.counted("ack of an activity with its completion", () -> {
            calls.activities().ackWorkItem(second.lockToken(), completion);
            return second;
        });
        calls.drainTurns();
    }

    private void turnOfACachedInstance() {
        var instance = calls.knownInstance();
        calls.raiseEvent(instance);
        var turn = calls.counted("fetch of a turn, cached instance", calls::fetchTurn);
        calls.counted("abandon a turn", () -> {
            calls.turns().abandonOrchestrationItem(turn.lockToken(), null, true);
            return turn;
        });
        calls.drainTurns();
    }

    private void turnThatStartsAChild() {
        var instance = calls.nextInstance();
        calls.enqueueStart(instance);
        var child = instance + "::sub::2";
        var start = new WorkItem.StartOrchestration(child, "Ship", "{}", null, instance, 2L, 1L, 1);
        var ack = TurnAck.of(calls.fetchTurn().lockToken(), 1)
                .withHistory(List.of(SampleOrders.started(instance)))
                .withOrchestratorItems(List.of(start))
                .withMetadata(SampleOrders.named());
        calls.counted("ack of a turn with 1 intent, delivered at once", () -> calls.ack(ack));
        calls.drainTurns();
    }

    private void activityOfASession() {
        var instance = calls.nextInstance();
        calls.client().enqueueForWorker(new WorkItem.ActivityExecute(instance, 1, 2, "Charge", "{}", "cart", null));
        var session = new SessionFetchConfig("worker-1", CountedProcesses.LOCK);
        var item = calls.counted(
                "fetch of an activity with a session",
                () -> calls.activities()
                        .fetchWorkItem(CountedProcesses.LOCK, Duration.ZERO, session, TagFilter.defaultOnly())
                        .orElseThrow());
        calls.counted("renew the lock of an activity with a session", () -> {
            calls.activities().renewWorkItemLock(item.lockToken(), CountedProcesses.LOCK);
            return item;
        });
        calls.counted("ack of an activity with a session", () -> {
            calls.activities().ackWorkItem(item.lockToken(), null);
            return item;
        });
    }

    private void turnOfAColdInstance() {
        var instance = calls.knownInstance();
        try (var other = calls.another()) {
            other.fetchWorkItem(CountedProcesses.LOCK, Duration.ZERO, null, TagFilter.defaultOnly());
            calls.raiseEvent(calls.knownInstance());
            other.fetchOrchestrationItem(CountedProcesses.LOCK, Duration.ZERO, null)
                    .ifPresent(turn -> other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1)));
            calls.raiseEvent(instance);
            var turn = calls.counted(
                    "fetch of a turn, cold instance",
                    () -> other.fetchOrchestrationItem(CountedProcesses.LOCK, Duration.ZERO, null)
                            .orElseThrow());
            other.ackOrchestrationItem(TurnAck.of(turn.lockToken(), 1));
        }
    }

    private void turnThatCancels() {
        var instance = calls.nextInstance();
        calls.enqueueStart(instance);
        var cancelled = List.of(new ScheduledActivityIdentifier(instance, 1, 2));
        var ack = TurnAck.of(calls.fetchTurn().lockToken(), 1)
                .withHistory(List.of(SampleOrders.started(instance)))
                .withCancelledActivities(cancelled)
                .withMetadata(SampleOrders.named());
        calls.counted("ack of a turn that cancels an activity", () -> calls.ack(ack));
    }

    private void turnOfAThousandOperations() {
        var instance = calls.nextInstance();
        calls.enqueueStart(instance);
        var events = new ArrayList<HistoryEvent>();
        for (int id = 1; id <= 998; id++) {
            events.add(HistoryEvent.of(
                    id,
                    instance,
                    1,
                    1_740_000_000_000L,
                    SampleOrders.VERSION,
                    new EventKind.ActivityScheduled("Charge", "{}", null, null)));
        }
        var ack =
                TurnAck.of(calls.fetchTurn().lockToken(), 1).withHistory(events).withMetadata(SampleOrders.named());
        calls.counted("ack of a turn of 1 000 operations", () -> calls.ack(ack));
    }

    private void helloWorld() {
        calls.counted("hello world (1 activity)", () -> {
            var instance = calls.nextInstance();
            return play(instance, 1, List.of(SampleOrders.started(instance), SampleOrders.scheduled(instance)));
        });
    }

    private void fanOut() {
        calls.counted(FAN_OUT, () -> {
            var instance = calls.nextInstance();
            return play(instance, 20, List.of(SampleOrders.started(instance)));
        });
    }

    private TurnAck play(String instance, int activities, List<HistoryEvent> firstEvents) {
        calls.enqueueStart(instance);
        calls.ack(TurnAck.of(calls.fetchTurn().lockToken(), 1)
                .withHistory(firstEvents)
                .withWorkerItems(SampleOrders.activities(instance, activities))
                .withMetadata(SampleOrders.named()));
        calls.runActivities(instance, activities);
        return calls.ack(TurnAck.of(calls.fetchTurn().lockToken(), 1).withMetadata(SampleOrders.completed()));
    }

    private void parentAndChild() {
        calls.counted("parent → child → parent", () -> {
            var parent = calls.nextInstance();
            var child = parent + "::sub::2";
            calls.enqueueStart(parent);
            calls.ack(TurnAck.of(calls.fetchTurn().lockToken(), 1)
                    .withHistory(List.of(SampleOrders.started(parent)))
                    .withOrchestratorItems(
                            List.of(new WorkItem.StartOrchestration(child, "Ship", "{}", null, parent, 2L, 1L, 1)))
                    .withMetadata(SampleOrders.named()));
            calls.ack(TurnAck.of(calls.fetchTurn().lockToken(), 1)
                    .withHistory(List.of(SampleOrders.started(child)))
                    .withOrchestratorItems(List.of(new WorkItem.SubOrchCompleted(parent, 1, 2, "done")))
                    .withMetadata(SampleOrders.completed()));
            return calls.ack(TurnAck.of(calls.fetchTurn().lockToken(), 1).withMetadata(SampleOrders.completed()));
        });
    }

    private void turnAmongOthers() {
        for (int i = 0; i <= OTHERS; i++) {
            calls.enqueueStart(calls.nextInstance());
        }
        calls.counted("fetch of a turn, 500 others waiting", calls::fetchTurn);
    }
}
