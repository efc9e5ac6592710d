package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.history.DroppedMessage;
import io.sluice.durabletask.history.DtFields;
import io.sluice.durabletask.history.HistoryFormatException;
import io.sluice.durabletask.history.TurnEvents;
import io.sluice.durabletask.history.TurnIntake;
import io.sluice.durabletask.turn.OpenTurn;
import io.sluice.durabletask.turn.RefusedResponseException;
import io.sluice.durabletask.turn.TurnOutcome;
import io.sluice.durabletask.turn.WorkerlessTurn;
import io.sluice.durabletask.wire.Protocol.ExecutionStartedEvent;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.wire.Wire;
import io.sluice.durabletask.worker.WorkFilter;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.WorkerStream;
import io.sluice.durabletask.worker.Workers;
import io.sluice.provider.DispatcherCapabilityFilter;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.Provider;
import io.sluice.provider.SemverRange;
import io.sluice.provider.TurnAck;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.SemanticVersion;
import io.sluice.provider.work.WorkItem.TimerFired;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Fetches turns and hands them to workers. Thread-safe. */
final class TurnDispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(TurnDispatcher.class);
    /** Long enough for the message that begins the execution to arrive. */
    private static final Duration TOO_EARLY = Duration.ofMillis(20);

    private static final SemverRange FORMATS =
            new SemverRange(SemanticVersion.of(DtFields.FORMAT.major(), 0, 0), DtFields.FORMAT);

    private final DispatchContext context;
    private final Provider provider;
    private final Workers workers;
    private final Board<TurnWork> board;

    TurnDispatcher(DispatchContext context, Board<TurnWork> board) {
        this.context = context;
        this.provider = context.provider();
        this.workers = context.workers();
        this.board = board;
    }

    /** Fetches a turn that some worker takes, and assigns it. */
    void dispatch(WorkFilter filter) {
        long askedAt = context.nanoTime().getAsLong();
        DispatcherCapabilityFilter taken =
                new DispatcherCapabilityFilter(List.of(FORMATS), ProviderFilters.orchestrations(filter));
        Optional<LockedTurn> turn = provider.fetchOrchestrationItem(
                context.timing().lock(), context.timing().poll(), taken);
        turn.ifPresent(locked -> open(locked, askedAt));
    }

    private void open(LockedTurn locked, long askedAt) {
        Instant startedAt = startOf(locked.item());
        try {
            TurnIntake intake = TurnEvents.of(locked.item(), startedAt, Wire::newGuid);
            intake.dropped().forEach(dropped -> log(locked.item().instance(), dropped));
            if (intake instanceof TurnIntake.Open open) {
                settleOrHand(locked, new OpenTurn(locked.item().instance(), startedAt, open), askedAt);
            } else if (intake instanceof TurnIntake.Idle idle) {
                provider.ackOrchestrationItem(
                        TurnAck.of(locked.lockToken(), locked.item().executionId())
                                .withOrchestratorItems(idle.answers()));
            } else {
                giveBack(locked, ReturnCause.TOO_EARLY, TOO_EARLY, true);
            }
        } catch (HistoryFormatException e) {
            board.giveBackUnreadable(locked.item().instance(), locked.lockToken(), e);
        }
    }

    /** What comes late or twice is no fault of anybody's. */
    private static void log(String instance, DroppedMessage dropped) {
        LOG.atLevel(dropped.reason() == DroppedMessage.Reason.FOREIGN ? Level.WARN : Level.DEBUG)
                .addKeyValue("instance", instance)
                .addKeyValue("message", dropped.message().variant())
                .addKeyValue("reason", dropped.reason())
                .log("a message is dropped, for the instance has no use for it");
    }

    /**
     * When the turn begins, as the orchestration sees it: never before what it has seen already, whichever host's clock
     * that comes from, and after the timers that the turn brings, or an SDK would set them again.
     */
    private Instant startOf(OrchestrationItem item) {
        Instant start = context.clock().instant();
        List<HistoryEvent> history = item.history();
        if (!history.isEmpty()) {
            start = later(
                    start, Instant.ofEpochMilli(history.get(history.size() - 1).timestampMillis()));
        }
        for (io.sluice.provider.work.WorkItem message : item.messages()) {
            if (message instanceof TimerFired timer) {
                start = later(start, Instant.ofEpochMilli(timer.fireAtMillis()).plusNanos(1));
            }
        }
        return start;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }

    private void settleOrHand(LockedTurn locked, OpenTurn turn, long askedAt) {
        Optional<TurnOutcome> outcome =
                WorkerlessTurn.beforeFirstTurn(turn, context.clock().instant());
        if (outcome.isPresent()) {
            provider.ackOrchestrationItem(outcome.get().toAck(locked.lockToken()));
        } else {
            hand(locked, turn, askedAt);
        }
    }

    private void hand(LockedTurn locked, OpenTurn turn, long askedAt) {
        ExecutionStartedEvent started = turn.started();
        Optional<WorkerStream> stream = workers.assign(
                WorkKind.TURN, started.getName(), started.getVersion().getValue());
        if (stream.isEmpty()) {
            giveBack(locked, ReturnCause.NO_WORKER, null, true);
            return;
        }
        CompletionToken token = new CompletionToken(
                context.host(),
                WorkKind.TURN,
                locked.lockToken(),
                turn.instance(),
                turn.intake().executionId(),
                0,
                0);
        Optional<WorkItem> item = TurnItems.of(
                token.text(),
                turn,
                started,
                context.limits().workItemBytes(),
                stream.get().offer().streamsHistory());
        if (item.isEmpty()) {
            workers.release(WorkKind.TURN, stream.get());
            park(locked);
            return;
        }
        board.hand(
                new Assignment<>(
                        token,
                        turn.instance(),
                        new TurnWork(turn, context.limits().answerBytes()),
                        locked.attemptCount(),
                        stream.get(),
                        LockEnd.from(context.nanoTime(), askedAt, context.timing())),
                item.get());
    }

    /** A worker would lose its stream by it, and get it again, without end. */
    private void park(LockedTurn locked) {
        LOG.atError()
                .addKeyValue("instance", locked.item().instance())
                .addKeyValue("limit", context.limits().workItemBytes())
                .log("a turn with its history is larger than what a worker receives: raise the limit of the SDK's gRPC"
                        + " channel and SLUICE_HOST_MAX_WORK_ITEM_BYTES, or let the orchestration continue as new");
        giveBack(locked, ReturnCause.TOO_LARGE, RefusedResponseException.pause(locked.attemptCount()), false);
    }

    private void giveBack(LockedTurn locked, ReturnCause cause, @Nullable Duration delay, boolean ignoreAttempt) {
        board.giveBack(locked.item().instance(), locked.lockToken(), cause, delay, ignoreAttempt);
    }
}
