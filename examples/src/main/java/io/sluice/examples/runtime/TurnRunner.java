package io.sluice.examples.runtime;

import io.sluice.provider.ExecutionMetadata;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.ErrorDetails;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works out one turn: the messages become events, the orchestration code runs from its beginning over the whole
 * history, and what it asks for beyond that history becomes the turn's delta. Pure but for the clock: nothing is stored
 * here, so a turn may be worked out again.
 */
final class TurnRunner {
    /** The contract version whose events this runtime writes. */
    static final String DUROXIDE_VERSION = "0.1.32";

    private static final Logger LOG = LoggerFactory.getLogger(TurnRunner.class);
    private static final SemanticVersion PINNED = SemanticVersion.parse(DUROXIDE_VERSION);
    /** Where the contract puts the failure of an execution whose history can't be read. */
    private static final long SENTINEL_EVENT_ID = 99_999;

    private static final Duration UNREADABLE_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_UNREGISTERED_PAUSE = Duration.ofSeconds(60);

    private final Registry registry;
    private final int maxAttempts;
    private final InstantSource clock;

    TurnRunner(Registry registry, int maxAttempts, InstantSource clock) {
        this.registry = registry;
        this.maxAttempts = maxAttempts;
        this.clock = clock;
    }

    TurnDecision decide(LockedTurn turn) {
        OrchestrationItem item = turn.item();
        if (item.historyError() != null) {
            return unreadable(turn, item.historyError());
        }
        EventLog log = new EventLog(item, clock.millis());
        if (log.all().stream().anyMatch(Steps::isTerminal)) {
            return new TurnDecision.Commit(TurnAck.of(turn.lockToken(), item.executionId()));
        }
        MessageRecorder inbox = new MessageRecorder(log);
        item.messages().forEach(inbox::take);
        if (log.isEmpty()) {
            return new TurnDecision.Abandon(UNREADABLE_PAUSE, "no message starts the instance");
        }
        EventKind.OrchestrationStarted started = started(log);
        if (turn.attemptCount() > maxAttempts) {
            return new TurnDecision.Commit(failing(turn, log, Failures.poisonedTurn(turn, maxAttempts)));
        }
        Optional<Orchestration> code = registry.orchestration(started.name());
        if (code.isEmpty()) {
            return new TurnDecision.Abandon(
                    unregisteredPause(turn.attemptCount()), "no orchestration named " + started.name());
        }
        TurnEffects effects = new TurnEffects();
        ExecutionMetadata metadata = run(code.get(), started, log, effects);
        return new TurnDecision.Commit(ack(turn, log, effects, metadata));
    }

    /** The ack that ends the instance as failed, whatever the turn's own ack was. */
    TurnAck failing(LockedTurn turn, ErrorDetails details) {
        EventLog log = new EventLog(turn.item(), clock.millis());
        turn.item().messages().stream()
                .filter(WorkItem.StartOrchestration.class::isInstance)
                .forEach(new MessageRecorder(log)::take);
        return failing(turn, log, details);
    }

    private TurnAck failing(LockedTurn turn, EventLog log, ErrorDetails details) {
        TurnEffects effects = new TurnEffects();
        return ack(turn, log, effects, end(log, effects, new EventKind.OrchestrationFailed(details)));
    }

    private ExecutionMetadata run(
            Orchestration code, EventKind.OrchestrationStarted started, EventLog log, TurnEffects effects) {
        Replay replay = new Replay(log, effects);
        EventKind ending;
        try {
            String output = code.run(replay, started.input());
            replay.requireAllReplayed();
            ending = new EventKind.OrchestrationCompleted(output);
        } catch (AwaitingResultError wait) {
            return waiting(replay, log, effects);
        } catch (RuntimeException e) {
            LOG.atDebug().addKeyValue("instance", log.instance()).setCause(e).log("orchestration failed");
            ending = new EventKind.OrchestrationFailed(Failures.of(e));
        }
        return end(log, effects, ending);
    }

    private static ExecutionMetadata waiting(Replay replay, EventLog log, TurnEffects effects) {
        try {
            replay.requireAllReplayed();
            return ExecutionMetadata.NONE;
        } catch (NondeterminismException e) {
            return end(log, effects, new EventKind.OrchestrationFailed(Failures.of(e)));
        }
    }

    private static ExecutionMetadata end(EventLog log, TurnEffects effects, EventKind ending) {
        boolean completed = ending instanceof EventKind.OrchestrationCompleted;
        String reason = completed ? "orchestration_terminal_completed" : "orchestration_terminal_failed";
        log.all().stream().filter(Steps::isScheduling).forEach(step -> Steps.cancel(log, effects, step, reason));
        log.append(null, ending);
        notifyParent(log, effects, ending);
        String output = ending instanceof EventKind.OrchestrationCompleted done
                ? done.output()
                : ((EventKind.OrchestrationFailed) ending).details().text();
        return ExecutionMetadata.NONE.withStatus(completed ? "Completed" : "Failed", output);
    }

    private static void notifyParent(EventLog log, TurnEffects effects, EventKind ending) {
        EventKind.OrchestrationStarted started = started(log);
        String parent = started.parentInstance();
        Long parentId = started.parentId();
        if (parent == null || parentId == null) {
            return;
        }
        Long given = started.parentExecutionId();
        long parentExecution = given == null ? 1 : given;
        effects.toOrchestrators(
                ending instanceof EventKind.OrchestrationCompleted done
                        ? new WorkItem.SubOrchCompleted(parent, parentExecution, parentId, done.output())
                        : new WorkItem.SubOrchFailed(
                                parent, parentExecution, parentId, ((EventKind.OrchestrationFailed) ending).details()));
    }

    private static TurnAck ack(LockedTurn turn, EventLog log, TurnEffects effects, ExecutionMetadata metadata) {
        List<HistoryEvent> delta = log.delta();
        return new TurnAck(
                turn.lockToken(),
                log.executionId(),
                delta,
                effects.workerItems(),
                effects.orchestratorItems(),
                withFirstTurn(delta, metadata),
                effects.cancelledActivities());
    }

    private static ExecutionMetadata withFirstTurn(List<HistoryEvent> delta, ExecutionMetadata metadata) {
        if (delta.isEmpty() || !(delta.get(0).kind() instanceof EventKind.OrchestrationStarted started)) {
            return metadata;
        }
        return metadata.withOrchestration(started.name(), started.version())
                .withParent(started.parentInstance())
                .withPinnedVersion(PINNED);
    }

    private TurnDecision unreadable(LockedTurn turn, String error) {
        if (turn.attemptCount() <= maxAttempts) {
            return new TurnDecision.Abandon(UNREADABLE_PAUSE, "history can't be read: " + error);
        }
        OrchestrationItem item = turn.item();
        ErrorDetails details = Failures.unreadableHistory(turn, maxAttempts, error);
        HistoryEvent failed = HistoryEvent.of(
                SENTINEL_EVENT_ID,
                item.instance(),
                item.executionId(),
                clock.millis(),
                DUROXIDE_VERSION,
                new EventKind.OrchestrationFailed(details));
        return new TurnDecision.Commit(TurnAck.of(turn.lockToken(), item.executionId())
                .withHistory(List.of(failed))
                .withMetadata(ExecutionMetadata.NONE.withStatus("Failed", details.text())));
    }

    private static EventKind.OrchestrationStarted started(EventLog log) {
        if (log.all().get(0).kind() instanceof EventKind.OrchestrationStarted started) {
            return started;
        }
        throw new IllegalStateException("the history of " + log.instance() + " does not begin with its start");
    }

    private static Duration unregisteredPause(int attempt) {
        Duration pause = Duration.ofSeconds(1L << Math.min(Math.max(attempt - 1, 0), 6));
        return pause.compareTo(LONGEST_UNREGISTERED_PAUSE) > 0 ? LONGEST_UNREGISTERED_PAUSE : pause;
    }
}
