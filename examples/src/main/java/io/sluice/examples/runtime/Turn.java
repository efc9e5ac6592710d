package io.sluice.examples.runtime;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.CarriedEvent;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One turn while it is worked out: the messages become events, the orchestration code runs from its beginning over the
 * whole history, and what it asks for beyond that history becomes the turn's delta.
 */
final class Turn {
    private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

    private final Registry registry;
    private final LockedTurn locked;
    private final List<WorkItem> messages;
    private final TurnEffects effects = new TurnEffects();
    private EventLog log;

    Turn(Registry registry, LockedTurn locked, long nowMillis) {
        this.registry = registry;
        this.locked = locked;
        OrchestrationItem item = locked.item();
        this.messages = new ArrayList<>(item.messages());
        this.log = new EventLog(item.instance(), item.executionId(), item.history(), nowMillis);
    }

    EventLog log() {
        return log;
    }

    /** Makes the log begin with a start; false when the message that starts the execution is still to come. */
    boolean tryBegin() {
        boolean continued =
                log.first(EventKind.OrchestrationContinuedAsNew.class).isPresent();
        for (WorkItem message : messages) {
            if (continued && message instanceof WorkItem.ContinueAsNew next) {
                log = log.next();
                log.append(null, started(next));
            } else if (log.isEmpty() && message instanceof WorkItem.StartOrchestration start) {
                log.append(null, started(start));
            } else {
                continue;
            }
            messages.remove(message);
            return true;
        }
        return !continued && !log.isEmpty();
    }

    private EventKind started(WorkItem.StartOrchestration start) {
        return new EventKind.OrchestrationStarted(
                start.orchestration(),
                registry.versionFor(start.orchestration(), start.version()),
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
                registry.versionFor(next.orchestration(), next.version()),
                next.input(),
                next.parentInstance(),
                next.parentId(),
                next.parentExecutionId(),
                next.carryForwardEvents(),
                next.initialCustomStatus());
    }

    /** Messages to an instance that has ended are consumed without a trace. */
    TurnAck refuseAll() {
        messages.forEach(new MessageRecorder(log, effects)::refuseStart);
        return ack(ExecutionMetadata.NONE);
    }

    /** Records the messages and runs the code to its end, or to the first step without a result. */
    TurnAck run(Orchestration code) {
        messages.forEach(new MessageRecorder(log, effects)::record);
        Replay replay = newReplay();
        try {
            requireScheduled();
            String output = code.run(replay, log.started().input());
            replay.requireAllReplayed();
            return end(replay, new EventKind.OrchestrationCompleted(output));
        } catch (AwaitingResultError wait) {
            return suspend(replay);
        } catch (ContinueAsNewError next) {
            return continueAsNew(replay, next);
        } catch (RuntimeException e) {
            LOG.atDebug().addKeyValue("instance", log.instance()).setCause(e).log("orchestration failed");
            return end(replay, new EventKind.OrchestrationFailed(Failures.of(e)));
        }
    }

    /** Every completion must be of a step that was scheduled in this execution. */
    private void requireScheduled() {
        log.delta().stream()
                .map(HistoryEvent::sourceEventId)
                .filter(Objects::nonNull)
                .filter(source -> log.first(event -> source.equals(event.eventId()))
                        .filter(Steps::isDecision)
                        .isEmpty())
                .findFirst()
                .ifPresent(source -> {
                    throw new NondeterminismException(log.started().name(), "nothing was scheduled as event " + source);
                });
    }

    private TurnAck suspend(Replay replay) {
        try {
            replay.requireAllReplayed();
            return ack(ExecutionMetadata.NONE);
        } catch (NondeterminismException e) {
            return end(replay, new EventKind.OrchestrationFailed(Failures.of(e)));
        }
    }

    private TurnAck continueAsNew(Replay replay, ContinueAsNewError next) {
        EventKind.OrchestrationStarted started = log.started();
        List<CarriedEvent> unread = replay.arrivals().unreadMessages();
        replay.cancelOpenSteps("orchestration_terminal_continued_as_new");
        log.append(null, new EventKind.OrchestrationContinuedAsNew(next.input()));
        String version = next.version();
        effects.orchestratorItems.add(new WorkItem.ContinueAsNew(
                log.instance(),
                started.name(),
                next.input(),
                version == null ? started.version() : version,
                started.parentInstance(),
                started.parentId(),
                started.parentExecutionId(),
                unread,
                null));
        return ack(ExecutionMetadata.NONE.withStatus("ContinuedAsNew", next.input()));
    }

    /** Ends the instance as failed. */
    TurnAck fail(ErrorDetails details) {
        return end(newReplay(), new EventKind.OrchestrationFailed(details));
    }

    private Replay newReplay() {
        return new Replay(log, effects, locked.item().kvSnapshot());
    }

    private TurnAck end(Replay replay, EventKind ending) {
        if (ending instanceof EventKind.OrchestrationCompleted done) {
            replay.cancelOpenSteps("orchestration_terminal_completed");
            log.append(null, ending);
            notifyParent(ending);
            return ack(ExecutionMetadata.NONE.withStatus("Completed", done.output()));
        }
        replay.cancelOpenSteps("orchestration_terminal_failed");
        log.append(null, ending);
        notifyParent(ending);
        String output = ((EventKind.OrchestrationFailed) ending).details().text();
        return ack(ExecutionMetadata.NONE.withStatus("Failed", output));
    }

    private void notifyParent(EventKind ending) {
        EventKind.OrchestrationStarted started = log.started();
        String parent = started.parentInstance();
        Long parentId = started.parentId();
        if (parent == null || parentId == null) {
            return;
        }
        long parentExecution = started.parentExecutionId() == null ? 1 : started.parentExecutionId();
        effects.orchestratorItems.add(
                ending instanceof EventKind.OrchestrationCompleted done
                        ? new WorkItem.SubOrchCompleted(parent, parentExecution, parentId, done.output())
                        : new WorkItem.SubOrchFailed(
                                parent, parentExecution, parentId, ((EventKind.OrchestrationFailed) ending).details()));
    }

    private TurnAck ack(ExecutionMetadata metadata) {
        List<HistoryEvent> delta = log.delta();
        ExecutionMetadata full = metadata;
        if (!delta.isEmpty() && delta.get(0).kind() instanceof EventKind.OrchestrationStarted started) {
            full = metadata.withOrchestration(started.name(), started.version())
                    .withParent(started.parentInstance())
                    .withPinnedVersion(SemanticVersion.parse(EventLog.DUROXIDE_VERSION));
        }
        return new TurnAck(
                locked.lockToken(),
                log.executionId(),
                delta,
                effects.workerItems,
                effects.orchestratorItems,
                full,
                effects.cancelledActivities);
    }
}
