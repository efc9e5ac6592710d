package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.cosmos.deletion.DeletionOutcome.Busy;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Deleted;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Moved;
import io.sluice.provider.document.DeletionDocument;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Locks every member, waits for the relay, and then, when no member can change any more, searches again for children
 * outside. Thread-safe.
 */
final class DeletionPreparation {
    private final MemberLocks locks;
    private final MemberReads reads;
    private final HistoryGate gate;
    private final OutsideChildren children;

    DeletionPreparation(MemberLocks locks, MemberReads reads, HistoryGate gate, OutsideChildren children) {
        this.locks = locks;
        this.reads = reads;
        this.gate = gate;
        this.children = children;
    }

    /**
     * Returns {@link Deleted} with the counts of the result when the deletion may be committed, else the reason against
     * it.
     */
    DeletionOutcome prepare(DeletionTargets targets, DeletionDocument deletion) {
        for (String member : deletion.members()) {
            @Nullable DeletionOutcome refused = lock(targets, deletion.token(), member);
            if (refused != null) {
                return refused;
            }
        }
        // The relay comes first, since it may be away, and refused intents can't be restored. No member's history grows
        // any more.
        gate.await(targets.call(), deletion.members());
        return children.settle(targets, deletion.members());
    }

    /** Searches for children that have had a turn and are not members, before anything is locked. */
    List<String> findStartedChildren(DeletionTargets targets) {
        return children.started(targets);
    }

    private @Nullable DeletionOutcome lock(DeletionTargets targets, String token, String member) {
        Call call = targets.call();
        Optional<Stored<InstanceDocument>> known = targets.head(member);
        Optional<Stored<InstanceDocument>> head = known;
        while (!locks.tryLock(call, token, member, head.orElse(null))) {
            head = reads.readAtRest(call, member);
            if (head.isPresent() && head.get().document().bears(token)) {
                break;
            }
            @Nullable
            DeletionOutcome refused = head.isEmpty()
                    ? (known.isPresent() ? new Moved() : null)
                    : reads.findRefusal(targets, head.get().document());
            if (refused == null && call.deadline().isOver()) {
                refused = new Busy(member);
            }
            if (refused != null) {
                return refused;
            }
        }
        targets.markLocked(member, head);
        return null;
    }
}
