package io.sluice.examples.runtime;

import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The context of one run of orchestration code. The k-th step the code asks for is the k-th scheduling event of the
 * history: as long as there is one, it must be for the same step; after that, each step is new, is appended to the log
 * and sent out.
 */
final class Replay implements OrchestrationContext {
    private final EventLog log;
    private final TurnEffects effects;
    private final Deque<HistoryEvent> decided = new ArrayDeque<>();
    private boolean cancellationDelivered;

    Replay(EventLog log, TurnEffects effects) {
        this.log = log;
        this.effects = effects;
        log.all().stream().filter(Steps::isScheduling).forEach(decided::add);
    }

    @Override
    public String instance() {
        return log.instance();
    }

    @Override
    public Step activity(String name, String input) {
        EventKind kind = new EventKind.ActivityScheduled(name, input, null, null);
        HistoryEvent replayed = replayed(kind::equals, "activity " + name);
        if (replayed != null) {
            return new LoggedStep(replayed);
        }
        HistoryEvent scheduled = log.append(null, kind);
        effects.toWorkers(new WorkItem.ActivityExecute(
                log.instance(), log.executionId(), scheduled.eventId(), name, input, null, null));
        return new LoggedStep(scheduled);
    }

    @Override
    public Step timer(Duration delay) {
        HistoryEvent replayed = replayed(EventKind.TimerCreated.class::isInstance, "timer");
        if (replayed != null) {
            return new LoggedStep(replayed);
        }
        long fireAtMillis = log.nowMillis() + delay.toMillis();
        HistoryEvent created = log.append(null, new EventKind.TimerCreated(fireAtMillis));
        effects.toOrchestrators(
                new WorkItem.TimerFired(log.instance(), log.executionId(), created.eventId(), fireAtMillis));
        return new LoggedStep(created);
    }

    @Override
    public Step externalEvent(String name) {
        EventKind kind = new EventKind.ExternalSubscribed(name);
        HistoryEvent replayed = replayed(kind::equals, "external event " + name);
        return new LoggedStep(replayed == null ? log.append(null, kind) : replayed);
    }

    @Override
    public Step subOrchestration(String name, String input) {
        HistoryEvent replayed = replayed(
                kind -> kind instanceof EventKind.SubOrchestrationScheduled sub
                        && sub.name().equals(name)
                        && sub.input().equals(input),
                "sub-orchestration " + name);
        if (replayed != null) {
            return new LoggedStep(replayed);
        }
        String child = log.instance() + "::sub::" + log.nextEventId();
        HistoryEvent scheduled = log.append(null, new EventKind.SubOrchestrationScheduled(name, child, input));
        effects.toOrchestrators(new WorkItem.StartOrchestration(
                child, name, input, Registry.VERSION, log.instance(), scheduled.eventId(), log.executionId(), 1));
        return new LoggedStep(scheduled);
    }

    /** Fails when the code has stopped short of steps that its history holds. */
    void requireAllReplayed() {
        if (!decided.isEmpty()) {
            throw mismatch(decided.element(), "nothing");
        }
    }

    private @Nullable HistoryEvent replayed(Predicate<EventKind> same, String wanted) {
        HistoryEvent next = decided.poll();
        if (next != null && !same.test(next.kind())) {
            throw mismatch(next, wanted);
        }
        return next;
    }

    private static NondeterminismException mismatch(HistoryEvent held, String wanted) {
        return new NondeterminismException(
                wanted,
                "event " + held.eventId() + " is " + held.kind() + ", but the code now asks for " + wanted
                        + "; keep the code of running orchestrations as it is");
    }

    private final class LoggedStep implements Step {
        private final HistoryEvent scheduled;

        LoggedStep(HistoryEvent scheduled) {
            this.scheduled = scheduled;
        }

        @Override
        public String await() {
            Optional<HistoryEvent> result = Steps.result(log, scheduled);
            Optional<HistoryEvent> cancel =
                    log.first(event -> event.kind() instanceof EventKind.OrchestrationCancelRequested);
            // Results are taken in the order they were logged: one that came after the cancellation is too late.
            if (cancel.isPresent()
                    && !cancellationDelivered
                    && result.filter(event -> event.eventId() < cancel.get().eventId())
                            .isEmpty()) {
                cancellationDelivered = true;
                Steps.cancel(log, effects, scheduled, "orchestration_cancelled");
                throw new OrchestrationCancelledException(
                        ((EventKind.OrchestrationCancelRequested) cancel.get().kind()).reason());
            }
            return Steps.value(result.orElseThrow(AwaitingResultError::new));
        }
    }
}
