package io.sluice.durabletask.dispatch;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.sluice.durabletask.turn.Actions;
import io.sluice.durabletask.turn.RefusedResponseException;
import io.sluice.durabletask.turn.TurnOutcome;
import io.sluice.durabletask.wire.Protocol.CompleteOrchestrationAction;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.OrchestratorAction;
import io.sluice.durabletask.wire.Protocol.OrchestratorResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.durabletask.worker.Connection;
import io.sluice.durabletask.worker.WorkKind;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits what workers have decided in turns. Thread-safe. */
final class TurnCommits {
    private static final Logger LOG = LoggerFactory.getLogger(TurnCommits.class);

    private final DispatchContext context;
    private final Board<TurnWork> board;
    private final AnswerOnce completions = new AnswerOnce();
    private final Commit commit;
    private final SharedHub sharedHub;
    private final BiConsumer<String, OrchestrationStatus> onCommitted;

    /**
     * Of one hub.
     *
     * @param onCommitted told which instance has changed, and into which state
     */
    TurnCommits(
            DispatchContext context,
            Board<TurnWork> board,
            Commit commit,
            SharedHub sharedHub,
            BiConsumer<String, OrchestrationStatus> onCommitted) {
        this.context = context;
        this.board = board;
        this.commit = commit;
        this.sharedHub = sharedHub;
        this.onCommitted = onCommitted;
    }

    /**
     * Commits a turn, once.
     *
     * @param connection that the answer came by
     * @throws StatusRuntimeException when it is not committed
     */
    @SuppressWarnings("deprecation") // Answers in parts are, in the protocol; SDKs that are in use send them.
    void complete(OrchestratorResponse response, Connection connection) {
        if (!response.getIsPartial()) {
            board.noteAnswered(response.getCompletionToken());
        }
        OldWorkers.complete(
                response.getCompletionToken(),
                () -> meant(response, connection),
                response.getInstanceId(),
                token -> complete(token, response));
    }

    @SuppressWarnings("deprecation") // As above.
    private Optional<String> meant(OrchestratorResponse response, Connection connection) {
        return response.getIsPartial()
                ? board.tokenOf(connection, response.getInstanceId())
                : board.tokenOfAnswered(
                        connection,
                        response.getInstanceId(),
                        left -> left.forEach(turn -> board.giveBack(turn, ReturnCause.REFUSED)));
    }

    @SuppressWarnings("deprecation") // As above.
    private void complete(String token, OrchestratorResponse response) {
        if (response.getIsPartial()) {
            keep(token, response);
        } else if (response.getRequiresHistory()) {
            board.giveBackUnwanted(claim(token));
        } else {
            completions.once(token, () -> commit(claim(token), response));
        }
    }

    private void keep(String token, OrchestratorResponse part) {
        TurnWork work = board.peek(token).orElseThrow(() -> unknown(token)).work();
        try {
            work.keep(part);
        } catch (RefusedResponseException e) {
            throw refused(claim(token), e);
        }
    }

    private Assignment<TurnWork> claim(String token) {
        return board.claim(token).orElseThrow(() -> unknown(token));
    }

    /** Gives a turn back that a worker does not want. */
    void abandon(String token) {
        board.noteAnswered(token);
        board.giveBackUnwanted(claim(token));
    }

    private void commit(Assignment<TurnWork> turn, OrchestratorResponse response) {
        OrchestrationStatus committed;
        try {
            TurnOutcome outcome = Actions.of(
                    turn.work().turn(),
                    turn.work().whole(response),
                    context.clock().instant(),
                    Wire::newGuid);
            commit.run(() -> context.provider().ackOrchestrationItem(outcome.toAck(turn.lockToken())), turn.lockEnd());
            committed = outcome.state().status();
        } catch (RefusedResponseException e) {
            throw refused(turn, e);
        } catch (RuntimeException e) {
            giveBack(turn, Status.fromThrowable(e));
            throw e;
        }
        board.committed(turn);
        onCommitted.accept(turn.instance(), committed);
        noteFailure(turn, response);
    }

    private void noteFailure(Assignment<TurnWork> turn, OrchestratorResponse response) {
        response.getActionsList().stream()
                .map(OrchestratorAction::getCompleteOrchestration)
                .filter(CompleteOrchestrationAction::hasFailureDetails)
                .findFirst()
                .ifPresent(failed -> sharedHub.noteFailure(
                        WorkKind.TURN,
                        turn.work().turn().started().getName(),
                        failed.getFailureDetails(),
                        turn.stream()));
    }

    /** At once when the store could not be reached, and else ever later: the next answer may fail in the same way. */
    private void giveBack(Assignment<TurnWork> turn, Status status) {
        if (status.getCode() == Status.Code.UNAVAILABLE) {
            board.giveBack(turn, ReturnCause.UNAVAILABLE);
        } else {
            board.giveBack(
                    turn.instance(),
                    turn.lockToken(),
                    ReturnCause.REFUSED,
                    RefusedResponseException.pause(turn.attempt()),
                    false);
        }
    }

    /** A worker that decides the same again would be asked without end: it is asked ever less often. */
    private StatusRuntimeException refused(Assignment<TurnWork> turn, RefusedResponseException refusal) {
        Duration pause = RefusedResponseException.pause(turn.attempt());
        LOG.atWarn()
                .addKeyValue("instance", turn.instance())
                .addKeyValue("reason", refusal.getMessage())
                .addKeyValue("nextMillis", pause.toMillis())
                .log("a worker's answer can't be committed, the turn will be dispatched again");
        board.giveBack(turn.instance(), turn.lockToken(), ReturnCause.REFUSED, pause, false);
        Status status = switch (refusal.problem()) {
            case INVALID_ARGUMENT -> Status.INVALID_ARGUMENT;
            case RESOURCE_EXHAUSTED -> Status.RESOURCE_EXHAUSTED;
            case UNIMPLEMENTED -> Status.UNIMPLEMENTED;
        };
        return status.withDescription("instance '" + turn.instance() + "': " + refusal.getMessage())
                .asRuntimeException();
    }

    private StatusRuntimeException unknown(String token) {
        CompletionToken parsed = Tokens.parse(token, WorkKind.TURN);
        if (parsed.host().equals(context.host())) {
            return notHere(parsed.instance());
        }
        context.meters().misrouted();
        return elsewhere(parsed);
    }

    private static StatusRuntimeException elsewhere(CompletionToken token) {
        return Status.UNAVAILABLE
                .withDescription("the turn of instance '" + token.instance()
                        + "' was dispatched by another host, or before this one was started again: answer through the"
                        + " connection that it came by")
                .asRuntimeException();
    }

    private static StatusRuntimeException notHere(String instance) {
        return Status.NOT_FOUND
                .withDescription("no worker of this host has a turn of instance '" + instance
                        + "' (any more): its stream has ended, or its lock was lost; it will be dispatched again")
                .asRuntimeException();
    }
}
