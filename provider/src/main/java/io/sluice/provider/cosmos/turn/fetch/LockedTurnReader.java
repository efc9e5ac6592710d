package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.LockedTurn;
import io.sluice.provider.OrchestrationItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.staged.Staging;
import io.sluice.provider.cosmos.turn.lock.HeldTurn;
import io.sluice.provider.cosmos.turn.lock.HeldTurns;
import io.sluice.provider.cosmos.turn.lock.TurnLocks;
import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.cosmos.turn.work.TurnQueue;
import io.sluice.provider.cosmos.work.WorkOutcome;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.StagedTry;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.OperationCost;
import io.sluice.provider.work.WorkItem;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a turn of what was locked: holds the lock while the history is read, and gives back what can't be given to a
 * caller. Thread-safe.
 */
final class LockedTurnReader {
    private static final Logger LOG = LoggerFactory.getLogger(LockedTurnReader.class);
    private static final long REMEMBER_LOCKED_MILLIS = 5_000;
    private static final long REMEMBER_EMPTY_MILLIS = 1_000;

    private final TurnLocks locks;
    private final HeldTurns held;
    private final Staging staging;
    private final TurnQueue queue;
    private final InstantSource clock;

    LockedTurnReader(StoredInstances stored, TurnLocks locks, TurnQueue queue) {
        this.locks = locks;
        this.held = locks.held();
        this.staging = new Staging(stored.requests());
        this.queue = queue;
        this.clock = stored.clock();
    }

    /** The turn, if the lock could be kept until its history was there. */
    FetchResult handOut(Call call, TurnOpener.Opened opened, Duration lockTimeout) {
        KnownInstance known = opened.known();
        List<WorkItem> items = known.items();
        HeldTurn turn = hold(known, opened.lock(), items);
        if (known.messages().isEmpty()) {
            // What was found turned out malformed when it was locked: there is nothing to give out.
            opened.history().cancel();
            locks.abandon(turn.token(), null, true);
            return FetchResult.of(new WorkOutcome.Returned(clock.millis() + REMEMBER_EMPTY_MILLIS));
        }
        if (known.head() == null && Messages.start(items) == null) {
            // What began like a start can't be decoded as one: the instance waits for another.
            opened.history().cancel();
            locks.abandon(turn.token(), null, true);
            return FetchResult.of(new WorkOutcome.Unstarted(queue.setAside(turn.instanceId())));
        }
        removeAbandoned(call.atMost(lockTimeout.dividedBy(4)), turn, known.abandonedTries());
        try {
            return awaitHistory(opened.history(), turn, lockTimeout)
                    .map(history -> history.orCorrupt(known.fault()))
                    .map(history -> FetchResult.of(lockedTurn(known, items, turn, history)))
                    .orElseGet(() -> giveUp(turn, lockTimeout));
        } catch (ProviderException e) {
            giveBack(turn, e);
            throw e;
        }
    }

    private HeldTurn hold(KnownInstance known, TurnLocker.Lock lock, List<WorkItem> items) {
        var head = new Stored<>(
                FetchedItem.named(lock.head().document(), items), lock.head().etag());
        var contents = new HeldTurn.Contents(
                known.messages(), known.keyValues(), known.openIntents(), known.head() == null, known.isSurelyAcked());
        HeldTurn turn = new HeldTurn(lock.token(), head, contents);
        held.add(turn);
        return turn;
    }

    /** Nothing when the lock is lost meanwhile. */
    private Optional<Histories.Decoded> awaitHistory(Histories.Coming history, HeldTurn turn, Duration lockTimeout) {
        if (!keep(turn, lockTimeout)) {
            history.cancel();
            return Optional.empty();
        }
        return history.await(() -> keep(turn, lockTimeout)).filter(whole -> keep(turn, lockTimeout));
    }

    /**
     * Renews the lock unless half of its time or more is left, since its new holder renews it only from then on. False
     * when the lock is lost.
     */
    private boolean keep(HeldTurn turn, Duration lockTimeout) {
        if (turn.lockedUntil() - clock.millis() >= lockTimeout.toMillis() / 2) {
            return true;
        }
        try {
            locks.renew(turn.token(), lockTimeout);
            return true;
        } catch (ProviderException e) {
            if (e.retryable()) {
                throw e;
            }
            LOG.atWarn()
                    .addKeyValue("instance", turn.instanceId())
                    .addKeyValue("lockMillis", lockTimeout.toMillis())
                    .addKeyValue("why", e.getMessage())
                    .log(
                            "the lock ran out while the turn was read: if this is seen often, ask for longer locks, or find"
                                    + " out why the store answers so late");
            return false;
        }
    }

    /**
     * As a race that was lost, but not to be run again at once. It counts as an attempt: who gets the turn in the end,
     * with a longer lock or a faster store, knows how often it was tried.
     */
    private FetchResult giveUp(HeldTurn turn, Duration lockTimeout) {
        held.forget(turn);
        try {
            locks.abandon(turn.token(), null, false);
        } catch (ProviderException e) {
            LOG.atDebug()
                    .addKeyValue("instance", turn.instanceId())
                    .setCause(e)
                    .log("a lock that was lost could not be given back");
        }
        return FetchResult.of(
                new WorkOutcome.Contended(clock.millis() + Math.min(lockTimeout.toMillis(), REMEMBER_LOCKED_MILLIS)));
    }

    /** Parts of turns whose lock was lost before their commit: as many as a part of the lock's time allows. */
    private void removeAbandoned(Call call, HeldTurn turn, List<Stored<StagedTry>> abandoned) {
        try {
            if (abandoned.stream().allMatch(each -> staging.remove(call, each))) {
                return;
            }
            LOG.atInfo()
                    .addKeyValue("instance", turn.instanceId())
                    .log("parts of lost turns are many, and some of them stay for the next holder");
        } catch (ProviderException e) {
            LOG.atWarn()
                    .addKeyValue("instance", turn.instanceId())
                    .setCause(e)
                    .log("parts of a lost turn stay for the next holder");
        }
    }

    /** A fetch that fails should hold no lock and count no attempt; if this fails too, the lock lapses by itself. */
    private void giveBack(HeldTurn turn, ProviderException why) {
        try {
            locks.abandon(turn.token(), null, true);
        } catch (ProviderException e) {
            why.addSuppressed(e);
        }
    }

    private static LockedTurn lockedTurn(
            KnownInstance known, List<WorkItem> items, HeldTurn turn, Histories.Decoded history) {
        if (history.error() == null) {
            turn.setHistory(history);
        }
        OrchestrationItem item = FetchedItem.item(turn.head().document(), items, history, known.keyValues());
        long messageCharacters = known.messages().stream()
                .mapToLong(message -> message.workItem().length())
                .sum();
        OperationCost.partitionSeen(history.characters() + messageCharacters);
        int attempts = known.messages().stream()
                .mapToInt(QueueDocument::attemptCount)
                .max()
                .orElse(0);
        return new LockedTurn(
                item, turn.token(), attempts + 1, turn.head().document().ext());
    }
}
