package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.cosmos.turn.read.Histories;
import io.sluice.provider.cosmos.turn.read.InstanceCache;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.cosmos.turn.work.TurnQueue;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.util.Optional;

/** Locks a candidate, with its history read at the same time. Thread-safe. */
final class TurnOpener {
    private final TurnLocker locker;
    private final Histories histories;
    private final InstanceCache cache;
    private final TurnQueue queue;

    /** Other processes take what this one would: histories are then read under the lock, not at the same time. */
    private volatile boolean lostLastRace;

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
        Histories.Coming history = history(locking, instanceId, known);
        Optional<TurnLocker.Lock> lock = Optional.empty();
        try {
            lock = locker.lock(
                    locking,
                    new TurnLocker.Target(known.head(), skeleton, known.messages(), known.content()),
                    lockTimeout);
        } finally {
            lostLastRace = lock.isEmpty();
            if (lock.isEmpty()) {
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
        // To read it at the same time saves a round trip; where the lock is lost, it was read for nothing.
        return lostLastRace
                ? histories.later(call, instanceId, known.execution())
                : histories.begin(call, instanceId, known.execution());
    }
}
