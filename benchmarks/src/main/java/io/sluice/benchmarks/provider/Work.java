package io.sluice.benchmarks.provider;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.Provider;
import io.sluice.provider.TagFilter;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.List;

/** What dispatchers can be kept busy with. */
enum Work {
    /** Instances that complete in their first turn. */
    TURNS("turns", "turn") {
        @Override
        void seed(Provider provider, String instance) {
            start(provider, instance);
        }

        @Override
        List<Step> steps() {
            return List.of(Work::completeAtOnce);
        }
    },
    /** Activities without an orchestration that waits for them. */
    ACTIVITIES("activities", "activity") {
        @Override
        void seed(Provider provider, String instance) {
            provider.enqueueForWorker(activity(instance));
        }

        @Override
        List<Step> steps() {
            return List.of(Work::work);
        }
    },
    /** Start, one activity, end: two turns and an activity. */
    HELLO_WORLDS("hello worlds", "hello world") {
        @Override
        void seed(Provider provider, String instance) {
            start(provider, instance);
        }

        @Override
        List<Step> steps() {
            return List.of(Work::orchestrate, provider -> {
                work(provider);
                return false;
            });
        }
    };

    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final String VERSION = "0.1.32";

    private final String many;
    private final String one;

    Work(String many, String one) {
        this.many = many;
        this.one = one;
    }

    /** What a dispatcher does again and again. */
    interface Step {
        /**
         * Does one thing if there is one to do within a second; says whether a whole piece of work has ended with it.
         */
        boolean take(Provider provider);
    }

    String many() {
        return many;
    }

    String one() {
        return one;
    }

    /** Puts one piece of work there. */
    abstract void seed(Provider provider, String instance);

    /** One for each kind of dispatcher. */
    abstract List<Step> steps();

    private static void start(Provider provider, String instance) {
        provider.enqueueForOrchestrator(
                new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null, null, null, 1), null);
    }

    private static boolean completeAtOnce(Provider provider) {
        var fetched = provider.fetchOrchestrationItem(LOCK, POLL, null);
        fetched.ifPresent(turn -> provider.ackOrchestrationItem(
                ack(turn, started(), new EventKind.OrchestrationCompleted("{}")).withMetadata(completed())));
        return fetched.isPresent();
    }

    private static boolean orchestrate(Provider provider) {
        var fetched = provider.fetchOrchestrationItem(LOCK, POLL, null);
        if (fetched.isEmpty()) {
            return false;
        }
        var turn = fetched.get();
        if (turn.item().history().isEmpty()) {
            provider.ackOrchestrationItem(
                    ack(turn, started(), new EventKind.ActivityScheduled("Charge", "{}", null, null))
                            .withWorkerItems(List.of(activity(turn.item().instance())))
                            .withMetadata(named()));
            return false;
        }
        provider.ackOrchestrationItem(
                ack(turn, new EventKind.ActivityCompleted("{}"), new EventKind.OrchestrationCompleted("{}"))
                        .withMetadata(completed()));
        return true;
    }

    private static boolean work(Provider provider) {
        var fetched = provider.fetchWorkItem(LOCK, POLL, null, TagFilter.defaultOnly());
        fetched.ifPresent(locked -> {
            var activity = (WorkItem.ActivityExecute) locked.item();
            provider.ackWorkItem(
                    locked.lockToken(), new WorkItem.ActivityCompleted(activity.instance(), 1, activity.id(), "{}"));
        });
        return fetched.isPresent();
    }

    private static WorkItem activity(String instance) {
        return new WorkItem.ActivityExecute(instance, 1, 2, "Charge", "{}", null, null);
    }

    private static TurnAck ack(LockedTurn turn, EventKind first, EventKind second) {
        long before = turn.item().history().size();
        return TurnAck.of(turn.lockToken(), turn.item().executionId())
                .withHistory(List.of(event(turn, before + 1, first), event(turn, before + 2, second)));
    }

    private static HistoryEvent event(LockedTurn turn, long id, EventKind kind) {
        return HistoryEvent.of(id, turn.item().instance(), 1, 1_740_000_000_000L, VERSION, kind);
    }

    private static EventKind started() {
        return new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, null, null, null, null);
    }

    private static ExecutionMetadata named() {
        return ExecutionMetadata.NONE.withOrchestration("Order", "1.0.0");
    }

    private static ExecutionMetadata completed() {
        return named().withStatus("Completed", "{}");
    }
}
