package io.sluice.relay.streams;

import io.sluice.client.lifecycle.Fact;
import io.sluice.client.lifecycle.Failure;
import io.sluice.client.lifecycle.InstanceStatus;
import io.sluice.client.lifecycle.InstanceStatus.Counts;
import io.sluice.client.lifecycle.InstanceStatus.State;
import io.sluice.client.lifecycle.Parent;
import io.sluice.client.lifecycle.Text;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies one history event to the state of its instance: the result is the next state and the facts that follow from
 * the event. Pure.
 *
 * <p>The first event read may lie in the middle of an instance's life, when earlier ones have expired: names, parents
 * and durations are then unknown until the next execution begins.
 */
final class InstanceStateMachine {
    /** @param facts in the order in which they happened */
    record Step(InstanceState after, List<Fact> facts) {}

    /**
     * The state of an instance is one record, so it holds only so many pending tasks; names and durations of further
     * ones stay unknown.
     */
    static final int MOST_PENDING = 1_000;
    /** Characters of their names together: even written as escapes they fit into a topic's default record of 1 MB. */
    static final int MOST_PENDING_CHARACTERS = 128 * 1_024;

    /** Of more timers the state holds those that were created first. */
    static final int MOST_TIMERS = 100;

    private static final long NEVER = -1;

    private final HistoryEvent event;
    private final InstanceStatus before;
    private final @Nullable Long startedMillis;
    private final Map<Long, PendingTask> pending;
    private final Map<Long, Long> timers;

    private final @Nullable Boolean incomplete;
    private final ReadProgress seen;

    private InstanceStateMachine(@Nullable InstanceState before, HistoryEvent event, long jumps) {
        this.event = event;
        this.incomplete = GapDetection.incomplete(before, event);
        this.seen = GapDetection.seen(before, event, jumps);
        this.before = before == null ? StatusTransition.unknown(event) : before.status();
        this.startedMillis = before == null ? null : before.executionStartedMillis();
        this.pending = new HashMap<>(before == null ? Map.of() : before.pending());
        this.timers = new HashMap<>(before == null ? Map.of() : before.knownTimers());
    }

    /**
     * Applies one event.
     *
     * @param before the state of the instance; null when it has none
     * @param jumps how often a part of the partition's history was skipped
     */
    static Step apply(@Nullable InstanceState before, HistoryEvent event, long jumps) {
        boolean isKnown = before != null && GapDetection.isOfSameLife(before, event, jumps);
        return new InstanceStateMachine(isKnown ? before : null, event, jumps).step();
    }

    private Step step() {
        if (event.kind() instanceof EventKind.OrchestrationStarted started) {
            return start(started);
        }
        Fact fact = fact();
        return new Step(
                tracked(StatusTransition.after(before, event, fact, incomplete), startedMillis),
                fact == null ? List.of() : List.of(fact));
    }

    /** The first execution begins a life, also when the instance is known: then its deletion was not read. */
    private Step start(EventKind.OrchestrationStarted started) {
        boolean isNewLife = GapDetection.isNewLife(event);
        var parent = started.parentInstance() == null
                ? null
                : new Parent(Text.shortened(started.parentInstance()), started.parentExecutionId(), started.parentId());
        var status = new InstanceStatus(
                event.instanceId(),
                event.instanceId(),
                Text.shortened(started.name()),
                Text.shortened(started.version()),
                State.RUNNING,
                event.executionId(),
                parent,
                parent == null ? event.instanceId() : parent.instance(),
                started.initialCustomStatus() == null ? null : Text.shortened(started.initialCustomStatus()),
                null,
                null,
                isNewLife ? time(event) : before.createdAt(),
                time(event),
                isNewLife ? Counts.NONE : before.activities(),
                isNewLife ? Counts.NONE : before.subOrchestrations(),
                incomplete);
        pending.clear();
        timers.clear();
        return new Step(
                tracked(status, event.timestampMillis()),
                isNewLife ? List.of(new Fact.Created(), new Fact.Started()) : List.of(new Fact.Started()));
    }

    private InstanceState tracked(InstanceStatus status, @Nullable Long executionStartedMillis) {
        return new InstanceState(
                status, executionStartedMillis, Text.shortened(event.type()), 0, false, pending, timers, seen);
    }

    /** Null for events that are no facts: subscriptions, key values, cancelled waits, what a host notes for itself. */
    private @Nullable Fact fact() {
        var kind = event.kind();
        if (kind instanceof EventKind.OrchestrationCompleted completed) {
            return new Fact.Completed(Text.shortened(completed.output()), executionMillis());
        }
        if (kind instanceof EventKind.OrchestrationFailed failed) {
            return failedOrCancelled(failed.details());
        }
        if (kind instanceof EventKind.OrchestrationContinuedAsNew) {
            return new Fact.ContinuedAsNew(executionMillis());
        }
        if (kind instanceof EventKind.OrchestrationCancelRequested requested) {
            return new Fact.CancelRequested(Text.shortened(requested.reason()));
        }
        if (kind instanceof EventKind.CustomStatusUpdated updated) {
            return new Fact.CustomStatusChanged(updated.status() == null ? null : Text.shortened(updated.status()));
        }
        if (kind instanceof EventKind.TimerCreated timer) {
            if (timer.fireAtMillis() != NEVER && timers.size() < MOST_TIMERS) {
                timers.put(event.eventId(), timer.fireAtMillis());
            }
            return new Fact.TimerCreated(fireAt(timer.fireAtMillis()));
        }
        if (kind instanceof EventKind.TimerFired timer) {
            timers.values().removeIf(due -> due <= timer.fireAtMillis());
            return new Fact.TimerFired(fireAt(timer.fireAtMillis()));
        }
        if (kind instanceof EventKind.ExternalEvent raised) {
            return ExternalEventFacts.of(raised, event.extras());
        }
        if (kind instanceof EventKind.ExternalEventPersistent message) {
            return new Fact.ExternalEventReceived(Text.shortened(message.name()), true);
        }
        var ofActivity = factOfActivity(kind);
        return ofActivity != null ? ofActivity : factOfChild(kind);
    }

    private @Nullable Fact factOfActivity(EventKind kind) {
        if (kind instanceof EventKind.ActivityScheduled scheduled) {
            var name = Text.shortened(scheduled.name());
            addPending(name);
            return new Fact.ActivityScheduled(name, scheduled.tag() == null ? null : Text.shortened(scheduled.tag()));
        }
        if (kind instanceof EventKind.ActivityCompleted) {
            var awaited = removePending();
            return new Fact.ActivityCompleted(name(awaited), event.sourceEventId(), millisSince(awaited));
        }
        if (kind instanceof EventKind.ActivityFailed failed) {
            var awaited = removePending();
            return new Fact.ActivityFailed(
                    name(awaited), event.sourceEventId(), failure(failed.details()), millisSince(awaited));
        }
        return null;
    }

    private @Nullable Fact factOfChild(EventKind kind) {
        if (kind instanceof EventKind.SubOrchestrationScheduled scheduled) {
            var child = Text.shortened(scheduled.instance());
            addPending(child);
            return new Fact.SubOrchestrationStarted(child, Text.shortened(scheduled.name()), false);
        }
        if (kind instanceof EventKind.OrchestrationChained chained) {
            return new Fact.SubOrchestrationStarted(
                    Text.shortened(chained.instance()), Text.shortened(chained.name()), true);
        }
        if (kind instanceof EventKind.SubOrchestrationCompleted) {
            var awaited = removePending();
            return new Fact.SubOrchestrationCompleted(name(awaited), millisSince(awaited));
        }
        if (kind instanceof EventKind.SubOrchestrationFailed failed) {
            var awaited = removePending();
            return new Fact.SubOrchestrationFailed(name(awaited), failure(failed.details()), millisSince(awaited));
        }
        return null;
    }

    private Fact failedOrCancelled(ErrorDetails details) {
        return details instanceof ErrorDetails.Application application
                        && application.kind() instanceof ErrorDetails.ApplicationKind.Cancelled cancelled
                ? new Fact.Cancelled(Text.shortened(cancelled.reason()), executionMillis())
                : new Fact.Failed(failure(details), executionMillis());
    }

    private void addPending(String name) {
        int characters = pending.values().stream()
                .mapToInt(other -> other.name().length())
                .sum();
        if (pending.size() < MOST_PENDING && characters + name.length() <= MOST_PENDING_CHARACTERS) {
            pending.put(event.eventId(), new PendingTask(name, event.timestampMillis()));
        }
    }

    private @Nullable PendingTask removePending() {
        return event.sourceEventId() == null ? null : pending.remove(event.sourceEventId());
    }

    private static @Nullable String name(@Nullable PendingTask awaited) {
        return awaited == null ? null : awaited.name();
    }

    private @Nullable Long millisSince(@Nullable PendingTask awaited) {
        return awaited == null ? null : millisSince(awaited.sinceMillis());
    }

    /** Clocks of two runtimes may disagree, and any number may stand in a history. */
    private long millisSince(long millis) {
        long passed = event.timestampMillis() - millis;
        return event.timestampMillis() < millis || passed < 0 ? 0 : passed;
    }

    private @Nullable Long executionMillis() {
        return startedMillis == null ? null : millisSince(startedMillis);
    }

    private static Failure failure(ErrorDetails details) {
        if (details instanceof ErrorDetails.Application application) {
            return new Failure("application", Text.shortened(details.text()), application.retryable());
        }
        if (details instanceof ErrorDetails.Infrastructure infrastructure) {
            return new Failure("infrastructure", Text.shortened(details.text()), infrastructure.retryable());
        }
        var category = details instanceof ErrorDetails.Poison ? "poison" : "configuration";
        return new Failure(category, Text.shortened(details.text()), false);
    }

    private static Instant time(HistoryEvent event) {
        return Instant.ofEpochMilli(event.timestampMillis());
    }

    private static @Nullable Instant fireAt(long millis) {
        return millis == NEVER ? null : Instant.ofEpochMilli(millis);
    }
}
