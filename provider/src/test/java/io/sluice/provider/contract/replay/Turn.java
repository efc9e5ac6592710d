package io.sluice.provider.contract.replay;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.KvEntry;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.CarriedEvent;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Works out one turn: messages become events, the code runs from its beginning over the whole history, and what it asks
 * for beyond that history is the turn's delta. Stores nothing.
 */
final class Turn {
    private static final Duration TRANSITION_PAUSE = Duration.ofMillis(100);

    private final Code code;
    private final RuntimeOptions options;
    private final LockedTurn locked;
    private final Effects effects = new Effects();
    private final InstantSource clock;
    private EventLog log;

    Turn(Code code, RuntimeOptions options, LockedTurn locked, InstantSource clock) {
        this.code = code;
        this.options = options;
        this.locked = locked;
        this.clock = clock;
        OrchestrationItem item = locked.item();
        this.log = new EventLog(item.instance(), item.executionId(), item.history(), clock);
    }

    /** Either an ack, or a pause after which the messages are to be tried again. */
    record Decision(@Nullable TurnAck ack, Duration pause, boolean ignoreAttempt) {}

    Decision decide() {
        List<WorkItem> messages = new ArrayList<>(locked.item().messages());
        if (log.isEnded()) {
            messages.forEach(this::refuseStart);
            return commit(ExecutionMetadata.NONE);
        }
        if (!begin(messages)) {
            return new Decision(null, TRANSITION_PAUSE, true);
        }
        EventKind.OrchestrationStarted started = log.started();
        Optional<Orchestration> orchestration = code.find(started.name(), started.version());
        if (locked.attemptCount() > options.maxAttempts()) {
            return commit(end(null, failed(poison())));
        }
        if (orchestration.isEmpty()) {
            return new Decision(null, options.unregisteredPause(), false);
        }
        for (WorkItem message : messages) {
            take(message);
        }
        return commit(run(orchestration.get(), locked.item().kvSnapshot()));
    }

    /** Makes the log begin with a start; false when the message that would is still to come. */
    private boolean begin(List<WorkItem> messages) {
        boolean continued = log.has(EventKind.OrchestrationContinuedAsNew.class);
        for (WorkItem message : messages) {
            if (continued && message instanceof WorkItem.ContinueAsNew next) {
                log = new EventLog(log.instance(), log.execution() + 1, List.of(), clock);
                log.append(null, started(next));
                messages.remove(message);
                return true;
            }
            if (log.isEmpty() && message instanceof WorkItem.StartOrchestration start) {
                log.append(null, started(start));
                messages.remove(message);
                return true;
            }
        }
        return !continued && !log.isEmpty();
    }

    private EventKind started(WorkItem.StartOrchestration start) {
        return new EventKind.OrchestrationStarted(
                start.orchestration(),
                code.versionFor(start.orchestration(), start.version()),
                start.input(),
                start.parentInstance(),
                start.parentId(),
                start.parentExecutionId(),
                null,
                null);
    }

    private EventKind started(WorkItem.ContinueAsNew next) {
        return new EventKind.OrchestrationStarted(
                next.orchestration(),
                code.versionFor(next.orchestration(), next.version()),
                next.input(),
                next.parentInstance(),
                next.parentId(),
                next.parentExecutionId(),
                next.carryForwardEvents(),
                next.initialCustomStatus());
    }

    private void take(WorkItem message) {
        if (message instanceof WorkItem.ActivityCompleted done) {
            close(done.executionId(), done.id(), new EventKind.ActivityCompleted(done.result()));
        } else if (message instanceof WorkItem.ActivityFailed failed) {
            close(failed.executionId(), failed.id(), new EventKind.ActivityFailed(failed.details()));
        } else if (message instanceof WorkItem.TimerFired fired) {
            close(fired.executionId(), fired.id(), new EventKind.TimerFired(fired.fireAtMillis()));
        } else if (message instanceof WorkItem.SubOrchCompleted done) {
            close(done.parentExecutionId(), done.parentId(), new EventKind.SubOrchestrationCompleted(done.result()));
        } else if (message instanceof WorkItem.SubOrchFailed failed) {
            close(
                    failed.parentExecutionId(),
                    failed.parentId(),
                    new EventKind.SubOrchestrationFailed(failed.details()));
        } else if (message instanceof WorkItem.ExternalRaised raised) {
            log.append(null, new EventKind.ExternalEvent(raised.name(), raised.data()));
        } else if (message instanceof WorkItem.QueueMessage queued) {
            log.append(null, new EventKind.ExternalEventPersistent(queued.name(), queued.data()));
        } else if (message instanceof WorkItem.CancelInstance cancel) {
            log.append(null, new EventKind.OrchestrationCancelRequested(cancel.reason()));
        } else {
            refuseStart(message);
        }
    }

    /**
     * Messages come at least once, and late: what closes a step of another execution or a closed one says nothing new.
     */
    private void close(long execution, long scheduledId, EventKind kind) {
        boolean late = execution < log.execution();
        boolean twice = execution == log.execution() && log.closing(scheduledId).isPresent();
        if (!late && !twice) {
            log.append(scheduledId, kind);
        }
    }

    /** A second start is dropped, but who awaits its result must hear of it. */
    private void refuseStart(WorkItem message) {
        if (message instanceof WorkItem.StartOrchestration start
                && start.parentInstance() != null
                && start.parentId() != null
                && !isOfOurParent(start)) {
            long parentExecution = start.parentExecutionId() == null ? 1 : start.parentExecutionId();
            effects.toOrchestrators.add(new WorkItem.SubOrchFailed(
                    start.parentInstance(),
                    parentExecution,
                    start.parentId(),
                    failure("instance '" + start.instance() + "' already exists")));
        }
    }

    private boolean isOfOurParent(WorkItem.StartOrchestration start) {
        EventKind.OrchestrationStarted ours = log.started();
        return start.parentInstance() != null
                && start.parentInstance().equals(ours.parentInstance())
                && start.parentId() != null
                && start.parentId().equals(ours.parentId());
    }

    private ExecutionMetadata run(Orchestration orchestration, Map<String, KvEntry> snapshot) {
        Optional<String> unscheduled = unscheduledCompletion();
        if (unscheduled.isPresent()) {
            return end(null, failed(nondeterminism(unscheduled.get())));
        }
        Replay replay = new Replay(log, effects, snapshot);
        try {
            String output = orchestration.run(replay, log.started().input());
            return end(replay, new EventKind.OrchestrationCompleted(output));
        } catch (Interruption interruption) {
            if (interruption.nextInput() != null) {
                return continueAsNew(replay, interruption, interruption.nextInput());
            }
            return cancelReason()
                    .map(reason -> end(replay, failed(cancelled(reason))))
                    .orElse(ExecutionMetadata.NONE);
        } catch (Replay.NondeterminismException e) {
            return end(replay, failed(nondeterminism(String.valueOf(e.getMessage()))));
        } catch (RuntimeException e) {
            return end(replay, failed(failure(String.valueOf(e.getMessage()))));
        }
    }

    private Optional<String> unscheduledCompletion() {
        return log.delta().stream()
                .map(HistoryEvent::sourceEventId)
                .filter(Objects::nonNull)
                .filter(source -> log.first(step -> source.equals(step.eventId()))
                        .filter(step -> Replay.isDecision(step.kind()))
                        .isEmpty())
                .map(source -> "nothing was scheduled as event " + source)
                .findFirst();
    }

    private Optional<String> cancelReason() {
        return log.first(event -> event.kind() instanceof EventKind.OrchestrationCancelRequested)
                .map(event -> ((EventKind.OrchestrationCancelRequested) event.kind()).reason());
    }

    private ExecutionMetadata continueAsNew(Replay replay, Interruption interruption, String input) {
        EventKind.OrchestrationStarted started = log.started();
        List<CarriedEvent> left = replay.arrivals().left();
        replay.callOffAll("orchestration_terminal_continued_as_new");
        log.append(null, new EventKind.OrchestrationContinuedAsNew(input));
        String version = interruption.nextVersion();
        effects.toOrchestrators.add(new WorkItem.ContinueAsNew(
                log.instance(),
                started.name(),
                input,
                version == null ? started.version() : version,
                started.parentInstance(),
                started.parentId(),
                started.parentExecutionId(),
                left,
                null));
        return ExecutionMetadata.NONE.withStatus("ContinuedAsNew", input);
    }

    private ExecutionMetadata end(@Nullable Replay replay, EventKind ending) {
        if (replay != null) {
            replay.callOffAll(
                    ending instanceof EventKind.OrchestrationCompleted
                            ? "orchestration_terminal_completed"
                            : "orchestration_terminal_failed");
        }
        log.append(null, ending);
        tellParent(ending);
        return ending instanceof EventKind.OrchestrationCompleted done
                ? ExecutionMetadata.NONE.withStatus("Completed", done.output())
                : ExecutionMetadata.NONE.withStatus("Failed", details(ending).text());
    }

    private void tellParent(EventKind ending) {
        EventKind.OrchestrationStarted started = log.started();
        String parent = started.parentInstance();
        Long parentId = started.parentId();
        if (parent != null && parentId != null) {
            long execution = started.parentExecutionId() == null ? 1 : started.parentExecutionId();
            effects.toOrchestrators.add(
                    ending instanceof EventKind.OrchestrationCompleted done
                            ? new WorkItem.SubOrchCompleted(parent, execution, parentId, done.output())
                            : new WorkItem.SubOrchFailed(parent, execution, parentId, details(ending)));
        }
    }

    private Decision commit(ExecutionMetadata metadata) {
        List<HistoryEvent> delta = log.delta();
        ExecutionMetadata full = metadata;
        if (!delta.isEmpty() && delta.get(0).kind() instanceof EventKind.OrchestrationStarted started) {
            full = metadata.withOrchestration(started.name(), started.version())
                    .withParent(started.parentInstance())
                    .withPinnedVersion(SemanticVersion.parse(EventLog.STAMP));
        }
        TurnAck ack = new TurnAck(
                locked.lockToken(),
                log.execution(),
                delta,
                effects.toWorkers,
                effects.toOrchestrators,
                full,
                effects.cancelled);
        return new Decision(ack, Duration.ZERO, false);
    }

    /** The ack that ends the instance as failed, because the turn's own ack was refused for good. */
    TurnAck failing(String why) {
        EventLog ours = new EventLog(
                log.instance(), locked.item().executionId(), locked.item().history(), clock);
        if (ours.isEmpty()) {
            ours.append(null, log.started());
        }
        ours.append(null, failed(new ErrorDetails.Infrastructure("ackOrchestrationItem", why, false)));
        return TurnAck.of(locked.lockToken(), ours.execution())
                .withHistory(ours.delta())
                .withMetadata(ExecutionMetadata.NONE.withStatus("Failed", why));
    }

    private static EventKind failed(ErrorDetails details) {
        return new EventKind.OrchestrationFailed(details);
    }

    private static ErrorDetails details(EventKind ending) {
        return ((EventKind.OrchestrationFailed) ending).details();
    }

    private ErrorDetails poison() {
        return new ErrorDetails.Poison(
                locked.attemptCount(),
                options.maxAttempts(),
                new ErrorDetails.PoisonedMessage.Orchestration(log.instance(), log.execution()),
                "poison: " + locked.attemptCount() + " attempts");
    }

    private ErrorDetails nondeterminism(String why) {
        return new ErrorDetails.Configuration(
                ErrorDetails.ConfigurationKind.NONDETERMINISM, log.started().name(), "nondeterminism: " + why);
    }

    private static ErrorDetails cancelled(String reason) {
        return new ErrorDetails.Application(
                new ErrorDetails.ApplicationKind.Cancelled(reason), "canceled: " + reason, false);
    }

    private static ErrorDetails failure(String message) {
        return new ErrorDetails.Application(ErrorDetails.ApplicationKind.Plain.ORCHESTRATION_FAILED, message, false);
    }
}
