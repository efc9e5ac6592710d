package io.sluice.provider.cosmos.turn.fetch;

import io.sluice.provider.cosmos.deletion.DeletionState;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.cosmos.turn.read.InstanceCache;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.turn.read.PartitionReader;
import io.sluice.provider.cosmos.turn.read.PartitionState;
import io.sluice.provider.cosmos.turn.read.StoredInstances;
import io.sluice.provider.cosmos.turn.work.TurnCandidate;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.StagedCommit;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Learns what has to be known of a candidate before it can be locked, with as few requests as possible. Thread-safe.
 */
final class CandidateReader {
    private final PartitionReader partitions;
    private final InstanceCache cache;
    private final TurnFinisher finisher;
    private final Deletions deletions;
    private final UnstartedInstances unstarted;

    CandidateReader(StoredInstances stored, InstanceCache cache, Deletions deletions, UnstartedInstances unstarted) {
        this.partitions = stored.partitions();
        this.cache = cache;
        this.finisher = new TurnFinisher(stored.requests(), stored.clock());
        this.deletions = deletions;
        this.unstarted = unstarted;
    }

    boolean isRemembered(String instanceId) {
        return cache.get(instanceId).isPresent();
    }

    /**
     * Without any request: the candidate query showed all messages, and the rest is remembered or new. The lock's own
     * condition proves it. Nothing when the partition has to be read.
     */
    Optional<KnownInstance> assume(TurnCandidate candidate, FetchRequest request, long nowMillis) {
        Optional<InstanceCache.Entry> entry = cache.get(candidate.instanceId());
        if (entry.isPresent()) {
            // Another process that deleted or continued it may have made it suit.
            InstanceDocument head = entry.get().head().document();
            return entry.filter(found -> isTurn(found, candidate))
                    .filter(found -> !head.isLocked(nowMillis) && request.suits(head, candidate.messages()))
                    .map(found -> KnownInstance.of(found, candidate.messages(), candidate.content()));
        }
        // What another process started exists already: its document has to be read.
        return candidate.messages().stream().anyMatch(Messages::isStart)
                        && candidate.messages().stream().noneMatch(message -> DocumentIds.isFirstMessage(message.id()))
                        && request.suits(null, candidate.messages())
                ? Optional.of(KnownInstance.fresh(candidate.messages(), candidate.content()))
                : Optional.empty();
    }

    /**
     * Whether the messages are a turn of what is remembered. An instance that was not acked begins with its start: what
     * came ahead of one that is put off is no turn yet. A start that was handed over alone is one only if it was
     * created together with its instance.
     */
    private static boolean isTurn(InstanceCache.Entry entry, TurnCandidate candidate) {
        InstanceDocument head = entry.head().document();
        List<QueueDocument> messages = candidate.messages();
        if (candidate.content() == TurnCandidate.Content.START) {
            return head.isUntouched()
                    && DocumentIds.isFirstMessage(messages.get(0).id());
        }
        boolean hasBegun = head.isSurelyAcked() || !entry.history().events().isEmpty();
        return hasBegun || messages.stream().anyMatch(Messages::isStart);
    }

    /**
     * Reads the partition. A turn or a deletion of several batches that is under way there is finished first.
     *
     * @param moment for the messages and for the lock: of a lock that lapses in between, only what has come since would
     *     be taken, out of order
     */
    InstanceReading judge(Call call, String instanceId, long moment) {
        PartitionState state = read(call, instanceId, moment);
        Optional<Stored<StagedCommit>> unfinished = state.unfinished().stored();
        if (unfinished.isPresent()) {
            finisher.finish(call, unfinished.get());
            return new InstanceReading.Changed();
        }
        if (state.messages().isEmpty()) {
            // Also where another holder's turn has tagged them all: what its lock leaves is announced again.
            return new InstanceReading.Empty(state.sessionToken());
        }
        Stored<InstanceDocument> head = state.instance();
        DeletionState deletion = head == null ? DeletionState.FREE : deletions.help(call, head.document());
        if (deletion == DeletionState.REMOVED) {
            return new InstanceReading.Changed();
        }
        if (head != null && isTaken(head.document(), deletion, moment)) {
            return new InstanceReading.Locked(
                    Objects.requireNonNullElse(head.document().lockedUntil(), 0L));
        }
        return unstarted
                .handle(call, instanceId, state)
                .orElseGet(() -> new InstanceReading.Ready(
                        KnownInstance.of(state, cached(instanceId, head)), state.sessionToken()));
    }

    private InstanceCache.@Nullable Entry cached(String instanceId, @Nullable Stored<InstanceDocument> head) {
        return cache.get(instanceId)
                .filter(entry -> head != null && entry.head().etag().equals(head.etag()))
                .orElse(null);
    }

    /** Of an instance that has not moved since this process acked it, only what has come since is read. */
    private PartitionState read(Call call, String instanceId, long moment) {
        InstanceCache.@Nullable Entry entry = cache.get(instanceId).orElse(null);
        if (entry != null) {
            PartitionState arrived = partitions.arrived(call, instanceId, moment);
            if (arrived.isAt(entry.head().etag())) {
                return arrived.with(entry.keyValues(), entry.openIntents());
            }
            cache.forget(instanceId);
        }
        return partitions.visible(call.again(), instanceId, moment);
    }

    /** The lock of a deletion that was given up is far from lapsing, and free to take. */
    private static boolean isTaken(InstanceDocument head, DeletionState deletion, long moment) {
        return head.isLocked(moment) && (deletion == DeletionState.UNDECIDED || !Deletions.isHeldByOne(head));
    }
}
