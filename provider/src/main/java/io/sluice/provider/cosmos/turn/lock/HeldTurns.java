package io.sluice.provider.cosmos.turn.lock;

import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.turn.read.InstanceCache;
import io.sluice.provider.cosmos.turn.read.PartitionReader;
import io.sluice.provider.cosmos.turn.read.PartitionState;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.cosmos.turn.work.TurnQueue;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.Failures;
import io.sluice.provider.request.HeldLocks;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The turns this process holds, by token; keeps the queue's feeds and the cache in step with them. Thread-safe. */
public final class HeldTurns {
    private static final int MOST_LAPSED = 1_000;

    private final HeldLocks<HeldTurn> locks;
    private final PartitionReader partitions;
    private final InstanceCache cache;
    private final TurnQueue queue;

    HeldTurns(StoredInstances stored, TurnQueue queue) {
        this.locks = new HeldLocks<>("a turn", MOST_LAPSED, stored.clock());
        this.partitions = stored.partitions();
        this.cache = queue.remembered();
        this.queue = queue;
    }

    /** A turn was locked by this process. */
    public void add(HeldTurn turn) {
        locks.add(turn);
        excludeFromQueue(turn);
    }

    /** The instance is not searched for while its lock lives. */
    void excludeFromQueue(HeldTurn turn) {
        queue.exclude(turn.instanceId(), turn.lockedUntil());
    }

    /** Whether this process holds the instance, as far as its clock says. */
    public boolean isHeld(String instanceId) {
        return locks.isHeld(turn -> turn.instanceId().equals(instanceId));
    }

    /** From now on the token is refused without asking the store. */
    public void bury(HeldTurn turn, String why) {
        locks.bury(turn, why);
    }

    /** The turn was given back without an ack: its instance is in the queue again, with the messages it had before. */
    void giveBack(HeldTurn turn, @Nullable Long visibleAtMillis) {
        locks.bury(turn, "it was abandoned");
        queue.putBack(turn.instanceId());
        if (visibleAtMillis != null) {
            queue.messageFor(turn.instanceId(), visibleAtMillis);
        }
    }

    /** Forgets what was remembered of the instance, whose lock lapsed before the turn was given out. */
    public void forget(HeldTurn turn) {
        cache.forget(turn.instanceId());
    }

    /**
     * The lock of a turn is lost while it is acked: nothing more can be done under it. Returns the exception to throw.
     */
    public ProviderException lose(String operation, HeldTurn turn, String why) {
        locks.bury(turn, why);
        cache.forget(turn.instanceId());
        queue.lost(turn.instanceId());
        return lockLost(operation, turn, why);
    }

    /** The exception that says that a lock is lost. */
    static ProviderException lockLost(String operation, HeldTurn turn, String why) {
        return Failures.lockLost(operation, subject(turn.instanceId()), why);
    }

    /**
     * The turn of a token; one that another process fetched is found in the store.
     *
     * @throws ProviderException permanent when no lock bears the token
     */
    public HeldTurn require(Call call, String token) {
        return locks.require(call, token, this::find);
    }

    private Optional<HeldTurn> find(Call call, String token) {
        return partitions
                .byToken(call, token)
                .map(found -> read(call, token, found.document().instanceId()));
    }

    private HeldTurn read(Call call, String token, String instanceId) {
        PartitionState state = partitions.tagged(call, instanceId, token);
        Stored<InstanceDocument> head = state.instance();
        if (head == null || !head.document().bears(token)) {
            throw Failures.lockLost(call.operation(), subject(instanceId), "the token was replaced");
        }
        var messages = state.messageDocuments().stream()
                .map(QueueDocument::beforeFetch)
                .toList();
        var contents = new HeldTurn.Contents(messages, state.keyValues(), state.openIntents(), false, false);
        return new HeldTurn(token, head, contents);
    }

    private static String subject(String instanceId) {
        return "instance '" + instanceId + "'";
    }
}
