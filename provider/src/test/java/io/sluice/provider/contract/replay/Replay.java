package io.sluice.provider.contract.replay;

import io.sluice.provider.KvEntry;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The context of one run of orchestration code. The k-th step the code asks for is the k-th scheduling event of the
 * history: as long as there is one, it must be for the same step; after that each step is new, is appended and sent
 * out.
 */
final class Replay implements OrchestrationContext {
    private final EventLog log;
    private final Effects effects;
    private final Arrivals arrivals;
    private final Deque<HistoryEvent> decided = new ArrayDeque<>();
    private final Map<String, String> keyValues = new HashMap<>();

    Replay(EventLog log, Effects effects, Map<String, KvEntry> snapshot) {
        this.log = log;
        this.effects = effects;
        this.arrivals = new Arrivals(log);
        snapshot.forEach((key, entry) -> keyValues.put(key, entry.value()));
        log.all().stream().filter(event -> isDecision(event.kind())).forEach(decided::add);
    }

    static boolean isDecision(EventKind kind) {
        return isStep(kind)
                || kind instanceof EventKind.OrchestrationChained
                || kind instanceof EventKind.KeyValueSet
                || kind instanceof EventKind.CustomStatusUpdated;
    }

    private static boolean isStep(EventKind kind) {
        return kind instanceof EventKind.ActivityScheduled
                || kind instanceof EventKind.TimerCreated
                || kind instanceof EventKind.ExternalSubscribed
                || kind instanceof EventKind.ExternalSubscribedPersistent
                || kind instanceof EventKind.SubOrchestrationScheduled;
    }

    @Override
    public String instance() {
        return log.instance();
    }

    @Override
    public long execution() {
        return log.execution();
    }

    @Override
    public Step activity(String name, String input, @Nullable String session, @Nullable String tag) {
        EventKind kind = new EventKind.ActivityScheduled(name, input, session, tag);
        HistoryEvent replayed = replayed(kind::equals, kind);
        if (replayed != null) {
            return new LoggedStep(replayed);
        }
        HistoryEvent scheduled = log.append(null, kind);
        effects.toWorkers.add(new WorkItem.ActivityExecute(
                log.instance(), log.execution(), scheduled.eventId(), name, input, session, tag));
        return new LoggedStep(scheduled);
    }

    @Override
    public Step timer(Duration delay) {
        EventKind kind = new EventKind.TimerCreated(log.nowMillis() + delay.toMillis());
        HistoryEvent replayed = replayed(EventKind.TimerCreated.class::isInstance, kind);
        if (replayed != null) {
            return new LoggedStep(replayed);
        }
        HistoryEvent created = log.append(null, kind);
        effects.toOrchestrators.add(new WorkItem.TimerFired(
                log.instance(), log.execution(), created.eventId(), ((EventKind.TimerCreated) kind).fireAtMillis()));
        return new LoggedStep(created);
    }

    @Override
    public Step event(String name) {
        return subscribed(name, false, new EventKind.ExternalSubscribed(name));
    }

    @Override
    public Step message(String queue) {
        return subscribed(queue, true, new EventKind.ExternalSubscribedPersistent(queue));
    }

    private Step subscribed(String name, boolean queued, EventKind kind) {
        HistoryEvent replayed = replayed(kind::equals, kind);
        HistoryEvent subscription = replayed == null ? log.append(null, kind) : replayed;
        arrivals.subscribe(subscription.eventId(), name, queued);
        return new LoggedStep(subscription);
    }

    @Override
    public Step child(String name, @Nullable String version, String input) {
        long nextId = log.all().get(log.all().size() - 1).eventId() + 1;
        return child(log.instance() + "::sub::" + nextId, name, version, input);
    }

    @Override
    public Step childAs(String instance, String name, String input) {
        return child(instance, name, null, input);
    }

    private Step child(String instance, String name, @Nullable String version, String input) {
        EventKind kind = new EventKind.SubOrchestrationScheduled(name, instance, input);
        HistoryEvent replayed = replayed(
                held -> held instanceof EventKind.SubOrchestrationScheduled child
                        && child.name().equals(name)
                        && child.input().equals(input),
                kind);
        if (replayed != null) {
            return new LoggedStep(replayed);
        }
        HistoryEvent scheduled = log.append(null, kind);
        effects.toOrchestrators.add(new WorkItem.StartOrchestration(
                instance, name, input, version, log.instance(), scheduled.eventId(), log.execution(), 1));
        return new LoggedStep(scheduled);
    }

    @Override
    public void detached(String instance, String name, String input) {
        EventKind kind = new EventKind.OrchestrationChained(name, instance, input);
        if (replayed(kind::equals, kind) == null) {
            log.append(null, kind);
            effects.toOrchestrators.add(
                    new WorkItem.StartOrchestration(instance, name, input, null, null, null, null, 1));
        }
    }

    @Override
    public void set(String key, String value) {
        keyValues.put(key, value);
        EventKind kind = new EventKind.KeyValueSet(key, value, log.nowMillis());
        HistoryEvent replayed = replayed(
                held -> held instanceof EventKind.KeyValueSet set
                        && set.key().equals(key)
                        && set.value().equals(value),
                kind);
        if (replayed == null) {
            log.append(null, kind);
        }
    }

    @Override
    public Optional<String> get(String key) {
        return Optional.ofNullable(keyValues.get(key));
    }

    @Override
    public void status(@Nullable String status) {
        EventKind kind = new EventKind.CustomStatusUpdated(status);
        if (replayed(kind::equals, kind) == null) {
            log.append(null, kind);
        }
    }

    @Override
    public Won race(Step... steps) {
        OptionalInt first = IntStream.range(0, steps.length)
                .filter(i -> at(steps[i]).isPresent())
                .reduce((a, b) -> at(steps[b]).orElseThrow() < at(steps[a]).orElseThrow() ? b : a);
        int winner = first.orElseThrow(Interruption::waiting);
        for (int i = 0; i < steps.length; i++) {
            if (i != winner) {
                callOff(((LoggedStep) steps[i]).scheduled, "dropped_future");
            }
        }
        return new Won(winner, steps[winner].await());
    }

    private static Optional<Long> at(Step step) {
        return ((LoggedStep) step).resolvedAt();
    }

    @Override
    public List<String> all(List<Step> steps) {
        return steps.stream().map(Step::await).toList();
    }

    @Override
    public Interruption continueAsNew(String input, @Nullable String version) {
        return Interruption.continuing(input, version);
    }

    Arrivals arrivals() {
        return arrivals;
    }

    /** Calls off every step that has no result, since the execution ends. */
    void callOffAll(String reason) {
        log.all().stream().filter(event -> isStep(event.kind())).forEach(step -> callOff(step, reason));
    }

    private void callOff(HistoryEvent step, String reason) {
        long id = step.eventId();
        Optional<HistoryEvent> closing = log.closing(id);
        arrivals.calledOff(id, closing.map(HistoryEvent::eventId).orElse(Long.MAX_VALUE));
        if (closing.isPresent()) {
            return;
        }
        if (step.kind() instanceof EventKind.ActivityScheduled) {
            log.append(id, new EventKind.ActivityCancelRequested(reason));
            effects.cancelled.add(new ScheduledActivityIdentifier(log.instance(), log.execution(), id));
        } else if (step.kind() instanceof EventKind.SubOrchestrationScheduled child) {
            log.append(id, new EventKind.SubOrchestrationCancelRequested(reason));
            effects.toOrchestrators.add(new WorkItem.CancelInstance(child.instance(), "parent canceled"));
        } else if (step.kind() instanceof EventKind.ExternalSubscribed) {
            log.append(id, new EventKind.ExternalSubscribedCancelled(reason));
        } else if (step.kind() instanceof EventKind.ExternalSubscribedPersistent) {
            log.append(id, new EventKind.ExternalSubscribedPersistentCancelled(reason));
        }
        // A timer that nobody awaits harms nobody when it fires.
    }

    private @Nullable HistoryEvent replayed(Predicate<EventKind> same, EventKind asked) {
        HistoryEvent next = decided.poll();
        if (next != null && !same.test(next.kind())) {
            throw new NondeterminismException(
                    "event " + next.eventId() + " is " + next.kind() + ", the code asks for " + asked);
        }
        return next;
    }

    /** Code and history don't fit. */
    static final class NondeterminismException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NondeterminismException(String message) {
            super(message);
        }
    }

    private final class LoggedStep implements Step {
        private final HistoryEvent scheduled;

        LoggedStep(HistoryEvent scheduled) {
            this.scheduled = scheduled;
        }

        /** The place in the order of events where the result came. */
        Optional<Long> resolvedAt() {
            return waitsForArrival()
                    ? arrival().map(Arrivals.Arrival::eventId)
                    : log.closing(scheduled.eventId()).map(HistoryEvent::eventId);
        }

        @Override
        public String await() {
            if (waitsForArrival()) {
                return arrival().orElseThrow(Interruption::waiting).data();
            }
            return value(log.closing(scheduled.eventId()).orElseThrow(Interruption::waiting));
        }

        private boolean waitsForArrival() {
            return scheduled.kind() instanceof EventKind.ExternalSubscribed
                    || scheduled.kind() instanceof EventKind.ExternalSubscribedPersistent;
        }

        private Optional<Arrivals.Arrival> arrival() {
            return arrivals.take(scheduled.eventId());
        }
    }

    private static String value(HistoryEvent result) {
        EventKind kind = result.kind();
        if (kind instanceof EventKind.ActivityCompleted completed) {
            return completed.result();
        } else if (kind instanceof EventKind.SubOrchestrationCompleted completed) {
            return completed.result();
        } else if (kind instanceof EventKind.TimerFired) {
            return "";
        } else if (kind instanceof EventKind.ActivityFailed failed) {
            throw failure(failed.details());
        } else if (kind instanceof EventKind.SubOrchestrationFailed failed) {
            throw failure(failed.details());
        }
        throw new IllegalStateException("event " + result.eventId() + " is no result: " + kind);
    }

    private static StepFailedException failure(ErrorDetails details) {
        return new StepFailedException(details.text());
    }
}
