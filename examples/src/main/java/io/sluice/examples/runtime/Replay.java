package io.sluice.examples.runtime;

import io.sluice.provider.KvEntry;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The context of one run of orchestration code. The k-th step the code asks for is the k-th scheduling event of the
 * history: as long as there is one, it must be for the same step; after that, each step is new, is appended to the log
 * and sent out.
 */
final class Replay implements OrchestrationContext {
    private final EventLog log;
    private final TurnEffects effects;
    private final Arrivals arrivals;
    private final Deque<HistoryEvent> decided = new ArrayDeque<>();
    private final Map<String, String> values = new HashMap<>();
    private boolean cancellationDelivered;

    Replay(EventLog log, TurnEffects effects, Map<String, KvEntry> snapshot) {
        this.log = log;
        this.effects = effects;
        this.arrivals = new Arrivals(log);
        snapshot.forEach((key, entry) -> values.put(key, entry.value()));
        log.all().stream().filter(Steps::isDecision).forEach(decided::add);
    }

    @Override
    public String instance() {
        return log.instance();
    }

    @Override
    public long execution() {
        return log.executionId();
    }

    @Override
    public Step activity(String name, String input, @Nullable String session, @Nullable String tag) {
        EventKind kind = new EventKind.ActivityScheduled(name, input, session, tag);
        return schedule(
                "activity " + name,
                kind,
                kind::equals,
                id -> effects.workerItems.add(new WorkItem.ActivityExecute(
                        log.instance(), log.executionId(), id, name, input, session, tag)));
    }

    @Override
    public Step timer(Duration delay) {
        long fireAtMillis = log.nowMillis() + delay.toMillis();
        return schedule(
                "timer",
                new EventKind.TimerCreated(fireAtMillis),
                EventKind.TimerCreated.class::isInstance,
                id -> effects.orchestratorItems.add(
                        new WorkItem.TimerFired(log.instance(), log.executionId(), id, fireAtMillis)));
    }

    @Override
    public Step externalEvent(String name) {
        EventKind kind = new EventKind.ExternalSubscribed(name);
        LoggedStep step = schedule("external event " + name, kind, kind::equals, id -> {});
        arrivals.subscribe(step.id(), name, false);
        return step;
    }

    @Override
    public Step message(String queue) {
        EventKind kind = new EventKind.ExternalSubscribedPersistent(queue);
        LoggedStep step = schedule("message of " + queue, kind, kind::equals, id -> {});
        arrivals.subscribe(step.id(), queue, true);
        return step;
    }

    @Override
    public Step subOrchestration(String name, @Nullable String version, String input) {
        return scheduleChild(log.instance() + "::sub::" + log.nextEventId(), name, version, input);
    }

    @Override
    public Step subOrchestrationAs(String instance, String name, String input) {
        return scheduleChild(instance, name, null, input);
    }

    private Step scheduleChild(String instance, String name, @Nullable String version, String input) {
        return schedule(
                "sub-orchestration " + name,
                new EventKind.SubOrchestrationScheduled(name, instance, input),
                held -> held instanceof EventKind.SubOrchestrationScheduled child
                        && child.name().equals(name)
                        && child.input().equals(input),
                id -> effects.orchestratorItems.add(new WorkItem.StartOrchestration(
                        instance, name, input, version, log.instance(), id, log.executionId(), 1)));
    }

    @Override
    public void startDetached(String instance, String name, String input) {
        EventKind kind = new EventKind.OrchestrationChained(name, instance, input);
        schedule(
                "detached orchestration " + name,
                kind,
                kind::equals,
                id -> effects.orchestratorItems.add(
                        new WorkItem.StartOrchestration(instance, name, input, null, null, null, null, 1)));
    }

    @Override
    public void setValue(String key, String value) {
        values.put(key, value);
        schedule(
                "value of " + key,
                new EventKind.KeyValueSet(key, value, log.nowMillis()),
                held -> held instanceof EventKind.KeyValueSet set
                        && set.key().equals(key)
                        && set.value().equals(value),
                id -> {});
    }

    @Override
    public Optional<String> getValue(String key) {
        return Optional.ofNullable(values.get(key));
    }

    @Override
    public void setCustomStatus(@Nullable String status) {
        EventKind kind = new EventKind.CustomStatusUpdated(status);
        schedule("custom status", kind, kind::equals, id -> {});
    }

    @Override
    public Winner race(Step... steps) {
        List<LoggedStep> all = Stream.of(steps).map(LoggedStep.class::cast).toList();
        LoggedStep first = awaitFirst(all);
        all.stream().filter(step -> step != first).forEach(step -> cancel(step.scheduled, "dropped_future"));
        return new Winner(all.indexOf(first), first.await());
    }

    @Override
    public ContinueAsNewError continueAsNew(String input, @Nullable String version) {
        return new ContinueAsNewError(input, version);
    }

    Arrivals arrivals() {
        return arrivals;
    }

    /** Fails when the code has stopped short of steps that its history holds. */
    void requireAllReplayed() {
        if (!decided.isEmpty()) {
            throw mismatch(decided.element(), "nothing");
        }
    }

    /** Cancels every step that has no result, because the execution ends. */
    void cancelOpenSteps(String reason) {
        log.all().stream()
                .filter(event -> Steps.isStep(event) && !arrivals.isAnswered(event.eventId()))
                .forEach(step -> cancel(step, reason));
    }

    /** Records that the code no longer waits for the step, and stops what can be stopped. */
    private void cancel(HistoryEvent step, String reason) {
        long id = step.eventId();
        Optional<HistoryEvent> closing = log.closing(id);
        arrivals.cancel(id, closing.map(HistoryEvent::eventId).orElse(Long.MAX_VALUE));
        if (closing.isPresent()) {
            return;
        }
        if (step.kind() instanceof EventKind.ActivityScheduled) {
            log.append(id, new EventKind.ActivityCancelRequested(reason));
            effects.cancelledActivities.add(new ScheduledActivityIdentifier(log.instance(), log.executionId(), id));
        } else if (step.kind() instanceof EventKind.SubOrchestrationScheduled child) {
            log.append(id, new EventKind.SubOrchestrationCancelRequested(reason));
            effects.orchestratorItems.add(new WorkItem.CancelInstance(child.instance(), "parent canceled"));
        } else if (step.kind() instanceof EventKind.ExternalSubscribed) {
            log.append(id, new EventKind.ExternalSubscribedCancelled(reason));
        } else if (step.kind() instanceof EventKind.ExternalSubscribedPersistent) {
            log.append(id, new EventKind.ExternalSubscribedPersistentCancelled(reason));
        }
        // A timer needs no cancellation: when it fires, the code does not ask for it.
    }

    /** The next decision: the recorded one, if there is one; else {@code kind} as a new event, whose id is sent out. */
    private LoggedStep schedule(String wanted, EventKind kind, Predicate<EventKind> same, LongConsumer send) {
        HistoryEvent recorded = decided.poll();
        if (recorded == null) {
            HistoryEvent scheduled = log.append(null, kind);
            send.accept(scheduled.eventId());
            return new LoggedStep(scheduled);
        } else if (!same.test(recorded.kind())) {
            throw mismatch(recorded, wanted);
        }
        return new LoggedStep(recorded);
    }

    private static NondeterminismException mismatch(HistoryEvent held, String wanted) {
        return new NondeterminismException(
                wanted,
                "event " + held.eventId() + " is " + held.kind() + ", but the code now asks for " + wanted
                        + "; keep the code of running orchestrations as it is");
    }

    /**
     * The step whose result came first. Results are taken in the order they were logged: one that came after the
     * cancellation of the instance is too late.
     */
    private LoggedStep awaitFirst(List<LoggedStep> steps) {
        Optional<LoggedStep> first = steps.stream()
                .filter(step -> step.resultAt().isPresent())
                .min(Comparator.comparing(step -> step.resultAt().orElseThrow()));
        Optional<HistoryEvent> request = log.first(EventKind.OrchestrationCancelRequested.class);
        if (request.isPresent()
                && !cancellationDelivered
                && first.filter(step ->
                                step.resultAt().orElseThrow() < request.get().eventId())
                        .isEmpty()) {
            cancellationDelivered = true;
            steps.forEach(step -> cancel(step.scheduled, "orchestration_cancelled"));
            throw new OrchestrationCancelledException(
                    ((EventKind.OrchestrationCancelRequested) request.get().kind()).reason());
        }
        return first.orElseThrow(AwaitingResultError::new);
    }

    private final class LoggedStep implements Step {
        private final HistoryEvent scheduled;

        LoggedStep(HistoryEvent scheduled) {
            this.scheduled = scheduled;
        }

        long id() {
            return scheduled.eventId();
        }

        /** The place of the result in the order of events; a step that was cancelled has none. */
        Optional<Long> resultAt() {
            return Steps.isSubscription(scheduled)
                    ? arrivals.take(id()).map(Arrivals.Arrival::eventId)
                    : result().map(HistoryEvent::eventId);
        }

        private Optional<HistoryEvent> result() {
            return log.closing(id()).filter(event -> !Steps.isCancellation(event));
        }

        @Override
        public String await() {
            awaitFirst(List.of(this));
            return Steps.isSubscription(scheduled)
                    ? arrivals.take(id()).orElseThrow().data()
                    : Steps.value(result().orElseThrow().kind());
        }
    }
}
