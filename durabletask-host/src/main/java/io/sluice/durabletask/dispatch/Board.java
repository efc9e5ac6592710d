package io.sluice.durabletask.dispatch;

import io.sluice.durabletask.history.HistoryFormatException;
import io.sluice.durabletask.turn.Pauses;
import io.sluice.durabletask.wire.Protocol.WorkItem;
import io.sluice.durabletask.worker.Connection;
import io.sluice.durabletask.worker.WorkKind;
import io.sluice.durabletask.worker.WorkerStream;
import io.sluice.durabletask.worker.Workers;
import io.sluice.provider.ProviderException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What workers hold of one kind. An assignment is {@linkplain #claim claimed} by a completion, by the end of
 * its stream or because its lock is lost: the first of these has it alone. Thread-safe.
 */
final class Board<T> {
    /** How long an item pauses that a worker did not want: the next may be the same worker. */
    private static final Pauses NOT_WANTED = new Pauses(Duration.ofMillis(50), Duration.ofMillis(1_600));
    /** For what a later version may be able to read. */
    private static final Duration UNREADABLE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Board.class);

    private final WorkKind kind;
    private final Workers workers;
    private final LockOperations locks;
    private final DispatchTiming timing;
    private final DispatchMeters meters;
    private final ConcurrentMap<String, Assignment<T>> byToken = new ConcurrentHashMap<>();
    private final Unanswered unanswered = new Unanswered();

    Board(WorkKind kind, LockOperations locks, DispatchContext context) {
        this.kind = kind;
        this.workers = context.workers();
        this.locks = locks;
        this.timing = context.timing();
        this.meters = context.meters();
    }

    /** Sends an item to the worker that it is assigned to; gives it back when that one is gone. */
    void hand(Assignment<T> assignment, WorkItem item) {
        String token = item.getCompletionToken();
        byToken.put(token, assignment);
        unanswered.sent(assignment.connection(), assignment.legacyKey());
        if (!assignment.stream().send(item)) {
            noteAnswered(assignment);
            claim(token).ifPresent(lost -> giveBack(lost, ReturnCause.WORKER_GONE));
        }
    }

    /** Takes an assignment off the board, and out of the worker's hand. */
    Optional<Assignment<T>> claim(String token) {
        Assignment<T> assignment = byToken.remove(token);
        if (assignment == null) {
            return Optional.empty();
        }
        workers.release(kind, assignment.stream());
        return Optional.of(assignment);
    }

    /** An assignment, which stays on the board. */
    Optional<Assignment<T>> peek(String token) {
        return Optional.ofNullable(byToken.get(token));
    }

    /** Notes that an answer to an assignment has come by its token; nothing for one that is not on the board. */
    void noteAnswered(String token) {
        peek(token).ifPresent(this::noteAnswered);
    }

    private void noteAnswered(Assignment<T> assignment) {
        var unused = unanswered.answered(assignment.connection(), assignment.legacyKey());
    }

    /** The token of what a worker sends a part of an answer to without one; empty unless it is certain. */
    Optional<String> tokenOf(Connection connection, String legacyKey) {
        return unanswered.isCertain(connection, legacyKey)
                ? inHand(connection, legacyKey).findFirst()
                : Optional.empty();
    }

    /**
     * The token of what a worker has answered without one; empty unless it is certain.
     *
     * @param left gets what was in the worker's hand under this name, when no further answer can come for it
     */
    Optional<String> tokenOfAnswered(Connection connection, String legacyKey, Consumer<List<Assignment<T>>> left) {
        Unanswered.Answer answer = unanswered.answered(connection, legacyKey);
        List<String> inHand = inHand(connection, legacyKey).toList();
        if (answer == Unanswered.Answer.DOUBTFUL_AND_LAST) {
            left.accept(inHand.stream().flatMap(token -> claim(token).stream()).toList());
        }
        return answer == Unanswered.Answer.CERTAIN ? inHand.stream().findFirst() : Optional.empty();
    }

    private Stream<String> inHand(Connection connection, String legacyKey) {
        return byToken.entrySet().stream()
                .filter(entry -> entry.getValue().connection() == connection
                        && entry.getValue().legacyKey().equals(legacyKey))
                .map(Map.Entry::getKey);
    }

    /** Gives back all that a worker held. */
    void streamEnded(WorkerStream stream, Executor background) {
        byToken.forEach((token, assignment) -> {
            if (assignment.stream() == stream) {
                claim(token).ifPresent(left -> background.execute(() -> giveBack(left, ReturnCause.WORKER_GONE)));
            }
        });
    }

    /** Gives back all that workers hold. */
    void giveBackAll(Executor background) {
        byToken.keySet()
                .forEach(token ->
                        claim(token).ifPresent(left -> background.execute(() -> giveBack(left, ReturnCause.CLOSING))));
    }

    /** Gives a claimed item back to the queue at once; its worker is without fault. */
    void giveBack(Assignment<T> claimed, ReturnCause cause) {
        giveBack(claimed.instance(), claimed.lockToken(), cause, null, true);
    }

    /**
     * Gives an item back to the queue. A failure is not the caller's concern: the lock lapses.
     *
     * @param delay until somebody gets it; null for none
     * @param ignoreAttempt whether nobody has worked on it in vain
     */
    void giveBack(
            String instance, String lockToken, ReturnCause cause, @Nullable Duration delay, boolean ignoreAttempt) {
        meters.returned(kind, cause);
        try {
            locks.abandon(lockToken, delay, ignoreAttempt);
        } catch (ProviderException e) {
            LOG.atInfo()
                    .addKeyValue("instance", instance)
                    .addKeyValue("kind", kind)
                    .addKeyValue("reason", e.getMessage())
                    .log("work could not be given back; others get it when its lock lapses");
        }
    }

    /** Leaves an item to hosts that can read it. */
    void giveBackUnreadable(String instance, String lockToken, HistoryFormatException why) {
        LOG.atError()
                .addKeyValue("instance", instance)
                .addKeyValue("kind", kind)
                .setCause(why)
                .log("work can't be read by this version of the host, it is left to others");
        giveBack(instance, lockToken, ReturnCause.UNREADABLE, UNREADABLE, false);
    }

    /** Gives a claimed item back that its worker does not want: to another, or ever later to the same. */
    void giveBackUnwanted(Assignment<T> claimed) {
        giveBack(
                claimed.instance(),
                claimed.lockToken(),
                ReturnCause.ABANDONED,
                NOT_WANTED.after(claimed.attempt()),
                false);
    }

    /** Notes that the answer to a claimed item was committed. */
    void committed(Assignment<T> claimed) {
        meters.committed(kind, claimed.lockEnd().sinceTaken());
    }

    /** Renews the locks that are due. */
    void renewDue(Executor background) {
        byToken.forEach((token, assignment) -> {
            if (assignment.lockEnd().isDue()) {
                background.execute(() -> renew(token, assignment));
            }
        });
    }

    private void renew(String token, Assignment<T> assignment) {
        if (!byToken.containsKey(token) || !assignment.lockEnd().startRenewal()) {
            return;
        }
        try {
            assignment.lockEnd().renew(timing, () -> locks.renew(assignment.lockToken(), timing.lock()));
        } catch (ProviderException e) {
            if (!e.retryable() || assignment.lockEnd().isOver()) {
                claim(token).ifPresent(lost -> noteLost(lost, e));
            }
        }
    }

    private void noteLost(Assignment<T> lost, ProviderException cause) {
        meters.lockLost(kind);
        LOG.atWarn()
                .addKeyValue("instance", lost.instance())
                .addKeyValue("kind", kind)
                .addKeyValue("reason", cause.getMessage())
                .log("the lock of work that a worker has was lost, its answer will not be taken");
    }
}
