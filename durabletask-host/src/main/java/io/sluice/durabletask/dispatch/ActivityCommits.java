package io.sluice.durabletask.dispatch;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.sluice.durabletask.activity.ActivityCompletion;
import io.sluice.durabletask.wire.Protocol.ActivityResponse;
import io.sluice.durabletask.worker.Connection;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.provider.ScheduledActivityIdentifier;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItem.ActivityExecute;
import java.util.List;
import java.util.Optional;

/** Commits the results of activities. Any host does, whichever has dispatched the activity. Thread-safe. */
final class ActivityCommits {
    private final DispatchContext context;
    private final Board<ActivityExecute> board;
    private final AnswerOnce completions = new AnswerOnce();
    private final Commit commit;
    private final SharedHub sharedHub;

    ActivityCommits(DispatchContext context, Board<ActivityExecute> board, Commit commit, SharedHub sharedHub) {
        this.context = context;
        this.sharedHub = sharedHub;
        this.board = board;
        this.commit = commit;
    }

    /**
     * Commits a result, once.
     *
     * @param connection that the answer came by
     * @throws StatusRuntimeException when it is not committed
     */
    void complete(ActivityResponse response, Connection connection) {
        board.noteAnswered(response.getCompletionToken());
        OldWorkers.complete(
                response.getCompletionToken(),
                () -> board.tokenOfAnswered(
                        connection,
                        ActivityDispatcher.legacyKey(response.getInstanceId(), response.getTaskId()),
                        left -> settle(left, response)),
                response.getInstanceId(),
                token -> complete(token, response));
    }

    private void complete(String text, ActivityResponse response) {
        CompletionToken token = Tokens.parse(text, WorkKind.ACTIVITY);
        completions.once(text, () -> {
            Optional<Assignment<ActivityExecute>> mine = board.claim(text);
            if (mine.isEmpty() && token.host().equals(context.host())) {
                throw notHere(token.instance(), token.taskId());
            }
            LockEnd lock = mine.map(Assignment::lockEnd)
                    .orElseGet(() ->
                            LockEnd.from(context.nanoTime(), context.nanoTime().getAsLong(), context.timing()));
            commit(token, response, lock, mine);
        });
    }

    /**
     * Ends what a worker holds after answers that may be for any of it. The latest execution's is given back, to
     * be performed again. To those of executions before, whose results no instance takes any more, any answer will do:
     * were they given back too, they would be with the worker together again, and so without end.
     */
    private void settle(List<Assignment<ActivityExecute>> left, ActivityResponse response) {
        long latest = left.stream()
                .mapToLong(activity -> activity.token().executionId())
                .max()
                .orElse(0);
        for (Assignment<ActivityExecute> activity : left) {
            if (activity.token().executionId() == latest) {
                board.giveBack(activity, ReturnCause.REFUSED);
            } else {
                OldWorkers.logging(
                        activity.instance(),
                        () -> commit(activity.token(), response, activity.lockEnd(), Optional.of(activity)));
            }
        }
    }

    private void commit(
            CompletionToken token,
            ActivityResponse response,
            LockEnd lock,
            Optional<Assignment<ActivityExecute>> mine) {
        ScheduledActivityIdentifier activity =
                new ScheduledActivityIdentifier(token.instance(), token.executionId(), token.eventId());
        WorkItem completion = ActivityCompletion.of(
                activity, token.taskId(), response, context.clock().instant());
        try {
            // Workers could change what a token says: by another instance's name they would reach that instance.
            commit.run(() -> context.provider().ackWorkItem(token.lockToken(), activity, completion), lock);
        } catch (StatusRuntimeException e) {
            mine.ifPresent(assigned -> board.giveBack(assigned, ReturnCause.UNAVAILABLE));
            throw e;
        }
        mine.ifPresent(assigned -> {
            board.committed(assigned);
            if (response.hasFailureDetails()) {
                sharedHub.noteFailure(
                        WorkKind.ACTIVITY, assigned.work().name(), response.getFailureDetails(), assigned.stream());
            }
        });
    }

    /** Gives an activity back that a worker does not want. */
    void abandon(String token) {
        CompletionToken parsed = Tokens.parse(token, WorkKind.ACTIVITY);
        board.noteAnswered(token);
        board.claim(token).ifPresentOrElse(activity -> board.giveBackUnwanted(activity), () -> {
            throw notHere(parsed.instance(), parsed.taskId());
        });
    }

    private static StatusRuntimeException notHere(String instance, int taskId) {
        return Status.NOT_FOUND
                .withDescription("no worker of this host has activity " + taskId + " of instance '" + instance
                        + "' (any more): its stream has ended, or its lock was lost; it will be dispatched again")
                .asRuntimeException();
    }
}
