package io.sluice.examples.contract;

import static io.sluice.provider.contract.ContractItems.event;
import static io.sluice.provider.contract.ContractItems.message;

import io.sluice.examples.runtime.Orchestration;
import io.sluice.examples.runtime.OrchestrationContext;
import io.sluice.examples.runtime.OrchestrationContext.Winner;
import io.sluice.examples.runtime.Step;
import io.sluice.examples.runtime.StepFailedException;
import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.contract.ContractItems;
import io.sluice.provider.contract.ProviderSteps;
import io.sluice.provider.history.CarriedEvent;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Histories that scenarios of races begin with, as earlier runtimes left them, and the code that goes on from there.
 */
final class RaceSeeds {
    private static final Duration FAR = Duration.ofHours(1);

    /** Waits for a message or a timer, then for a second message or a second timer. */
    static final Orchestration DECIDES_TWICE = (context, input) -> {
        Step message = context.message("q");
        Step first = context.timer(FAR);
        Step second = context.timer(FAR);
        Winner won = context.race(message, first);
        if (won.index() == 0) {
            return won.result();
        }
        Winner again = context.race(context.message("q"), second);
        return again.index() == 0 ? again.result() : "second-timeout";
    };

    /** Gives up on two queues, then takes from a third. */
    static final Orchestration LOSES_TWO_RACES = (context, input) -> {
        context.race(context.message("a"), context.activity("Tick", "{}"));
        context.race(context.message("b"), context.activity("Tick", "{}"));
        return context.message("q").await();
    };

    private RaceSeeds() {}

    /** Takes from q1, gives up on another queue, and takes from {@code last}. */
    static Orchestration racesThenTakes(String last) {
        return (context, input) -> {
            String first =
                    context.race(context.message("q1"), context.timer(FAR)).result();
            context.race(context.message("idle"), context.activity("Tick", "{}"));
            return first + "," + context.message(last).await();
        };
    }

    /** The first execution waits so and goes on in a second, which takes a message. */
    static Orchestration continuing(Consumer<OrchestrationContext> first) {
        return (context, input) -> {
            if (context.execution() == 1) {
                first.accept(context);
                throw context.continueAsNew("2", null);
            }
            return context.message("q").await();
        };
    }

    /** Awaits a child of this id and returns why it failed. */
    static Orchestration awaitingChildAs(String child) {
        return (context, input) -> {
            try {
                return context.subOrchestrationAs(child, "WrongHandler", "{}").await();
            } catch (StepFailedException e) {
                return String.valueOf(e.getMessage());
            }
        };
    }

    static EventKind started(String orchestration, String input) {
        return new EventKind.OrchestrationStarted(orchestration, "1.0.0", input, null, null, null, null, null);
    }

    static EventKind work(String activity) {
        return ContractItems.scheduled(activity);
    }

    /** Commits a first turn of these events and leaves the instance running. */
    static List<HistoryEvent> running(ProviderSteps steps, String instance, String stamp, EventKind... kinds) {
        List<HistoryEvent> events = new ArrayList<>();
        for (EventKind kind : kinds) {
            events.add(event(instance, 1, events.size() + 1, stamp, kind));
        }
        return running(steps, instance, stamp, events);
    }

    /** The same with whole events. */
    static List<HistoryEvent> running(ProviderSteps steps, String instance, String stamp, List<HistoryEvent> events) {
        var started = (EventKind.OrchestrationStarted) events.get(0).kind();
        steps.enqueue(ContractItems.start(instance, started.name(), "1.0.0", 1));
        LockedTurn turn = steps.fetchOf(instance);
        List<HistoryEvent> stamped = events.stream()
                .map(event -> {
                    HistoryEvent copy =
                            event(instance, 1, event.eventId(), event.eventId() == 1 ? stamp : "0.1.32", event.kind());
                    Long source = event.sourceEventId();
                    return source == null ? copy : copy.withSourceEventId(source);
                })
                .toList();
        steps.ack(ProviderSteps.ackOf(turn)
                .withHistory(stamped)
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration(started.name(), "1.0.0")
                        .withStatus("Running", null)));
        return stamped;
    }

    /** An instance whose first execution continued as new, its successor not yet there. */
    static void continuedAsNew(ProviderSteps steps, String instance, String stamp) {
        steps.enqueue(ContractItems.start(instance, "Transition", "1.0.0", 1));
        LockedTurn turn = steps.fetchOf(instance);
        steps.ack(ProviderSteps.ackOf(
                        turn,
                        event(instance, 1, 1, stamp, started("Transition", "first")),
                        event(instance, 1, 2, stamp, new EventKind.OrchestrationContinuedAsNew("next")))
                .withMetadata(ExecutionMetadata.NONE
                        .withOrchestration("Transition", "1.0.0")
                        .withStatus("ContinuedAsNew", "next")));
    }

    static WorkItem successor(String instance, String orchestration) {
        return new WorkItem.ContinueAsNew(
                instance,
                orchestration,
                "next",
                "1.0.0",
                null,
                null,
                null,
                List.of(new CarriedEvent("q", "carried")),
                null);
    }

    /** What arrives between two executions, by the name of the shape. */
    static List<WorkItem> inputs(String shape) {
        WorkItem late = message(shape, "q", "late");
        WorkItem stale = new WorkItem.ActivityCompleted(shape, 1, 7, "stale");
        return switch (shape) {
            case "queue", "race" -> List.of(late);
            case "mixed-stale" -> List.of(stale, late);
            case "signal" -> List.of(new WorkItem.ExternalRaised(shape, "go", "late"));
            case "cancel" -> List.of(new WorkItem.CancelInstance(shape, "by the customer"));
            case "future-completion" -> List.of(new WorkItem.ActivityCompleted(shape, 2, 77, "too early"));
            case "stale-only" -> List.of(stale);
            default -> throw new IllegalArgumentException("shape must be known, was " + shape);
        };
    }

    static String cancelReason(ErrorDetails failure) {
        return failure instanceof ErrorDetails.Application application
                        && application.kind() instanceof ErrorDetails.ApplicationKind.Cancelled cancelled
                ? cancelled.reason()
                : "not cancelled, but " + failure;
    }

    static String queueAwaitedBy(String shape) {
        return shape.equals("q6") ? "q" : shape;
    }

    /** Ten or eleven events with queue subscriptions, some of them called off. */
    static List<HistoryEvent> cancelledSubscriptions(String shape) {
        Numbered events = new Numbered(shape);
        events.add(started(shape, "{}"));
        if (shape.equals("q6")) {
            for (String queue : List.of("a", "b")) {
                long subscription = events.add(new EventKind.ExternalSubscribedPersistent(queue));
                long tick = events.add(work("Tick"));
                events.addFor(tick, new EventKind.ActivityCompleted("tick"));
                events.addFor(subscription, new EventKind.ExternalSubscribedPersistentCancelled("dropped_future"));
            }
            events.add(new EventKind.ExternalSubscribedPersistent("q"));
            return events.list;
        }
        events.add(new EventKind.ExternalSubscribedPersistent("q1"));
        long timeout = events.add(new EventKind.TimerCreated(1));
        events.add(new EventKind.ExternalEventPersistent("q1", "first"));
        long idle = events.add(new EventKind.ExternalSubscribedPersistent("idle"));
        long tick = events.add(work("Tick"));
        events.addFor(tick, new EventKind.ActivityCompleted("tick"));
        events.addFor(idle, new EventKind.ExternalSubscribedPersistentCancelled("dropped_future"));
        events.add(new EventKind.ExternalSubscribedPersistent(shape));
        events.addFor(timeout, new EventKind.TimerFired(1));
        if (shape.equals("q2")) {
            events.add(new EventKind.ExternalEventPersistent("other", "noise"));
        }
        return events.list;
    }

    private static final class Numbered {
        private final String instance;
        private final List<HistoryEvent> list = new ArrayList<>();

        Numbered(String instance) {
            this.instance = instance;
        }

        long add(EventKind kind) {
            list.add(event(instance, 1, list.size() + 1, kind));
            return list.size();
        }

        void addFor(long source, EventKind kind) {
            list.add(event(instance, 1, list.size() + 1, kind).withSourceEventId(source));
        }
    }
}
