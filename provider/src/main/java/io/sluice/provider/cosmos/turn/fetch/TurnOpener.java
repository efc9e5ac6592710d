package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.InstanceCache;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.cosmos.turn.work.TurnQueue;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Locks a candidate, with its history read at the same time where no other process is after it. Thread-safe. */
final class TurnOpener {
    /** After so many locks that it won, a process knows that others hardly ever take what it would. */
    private static final int SURE = 10;

    private final TurnLocker locker;
    private final Histories histories;
    private final InstanceCache cache;
    private final TurnQueue queue;
    private final AtomicInteger wonInARow = new AtomicInteger();

    TurnOpener(StoredInstances stored, TurnQueue queue) {
        this.locker = new TurnLocker(stored);
        this.histories = stored.histories();
        this.cache = queue.remembered();
        this.queue = queue;
    }

    /**
     * What was locked.
     *
     * @param known with the messages that the lock tagged
     * @param history to be awaited or cancelled
     */
    record Opened(KnownInstance known, TurnLocker.Lock lock, Histories.Coming history) {}

    /** Nothing when another process was faster. */
    Optional<Opened> open(Call call, String instanceId, KnownInstance known, Duration lockTimeout, long nowMillis) {
        InstanceDocument skeleton = FetchedItem.skeleton(instanceId, known.items(), nowMillis);
        // Reading may have taken a while.
        Call locking = call.again();
        Histories.Coming history = history(call.within(FetchRequest.PATIENCE), instanceId, known);
        Optional<TurnLocker.Lock> lock = Optional.empty();
        try {
            lock = locker.lock(
                    locking,
                    new TurnLocker.Target(known.head(), skeleton, known.messages(), known.content()),
                    lockTimeout);
        } finally {
            boolean isLost = lock.isEmpty();
            wonInARow.updateAndGet(won -> isLost ? 0 : Math.min(SURE, won + 1));
            if (isLost) {
                history.cancel();
            }
        }
        if (lock.isEmpty()) {
            cache.forget(instanceId);
            queue.slowDown();
        }
        return lock.map(taken -> new Opened(known.of(taken.messages()), taken, history));
    }

    private Histories.Coming history(Call call, String instanceId, KnownInstance known) {
        if (known.cached() != null) {
            Histories.Decoded history = known.cached().history();
            return wanted -> Optional.of(history);
        }
        // An instance that only now starts has no history, unless this process appended some on request.
        if (known.isStarting() && !histories.wasAppendedTo(instanceId)) {
            return wanted -> Optional.of(Histories.Decoded.EMPTY);
        }
        // To read it at the same time saves a round trip; where the lock is lost, it was read for nothing. Of ten
        // processes nine would pay for a long history that they may not have.
        return wonInARow.get() < SURE
                ? histories.later(call, instanceId, known.execution())
                : histories.begin(call, instanceId, known.execution());
    }
}
