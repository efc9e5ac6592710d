package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.cosmos.deletion.DeletionOutcome.Busy;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Deleted;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Moved;
import io.sluice.provider.cosmos.document.DeletionDocument;
import io.sluice.provider.cosmos.document.InstanceDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.purge.HistoryGate;
import io.sluice.provider.cosmos.request.Call;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Locks every member, waits for the relay, and looks at everything that may be in the way again, now that no member can
 * move. Thread-safe.
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

    /** Returns {@link Deleted}, with what it counts for, when the deletion may be committed; else why not. */
    DeletionOutcome prepare(DeletionTargets targets, DeletionDocument deletion) {
        for (String member : deletion.members()) {
            @Nullable DeletionOutcome refused = lock(targets, deletion.token(), member);
            if (refused != null) {
                return refused;
            }
        }
        // First the relay, which may be away, as no member's history grows any more; what is settled can't be taken
        // back.
        gate.await(targets.call(), deletion.members());
        return children.settle(targets, deletion.members());
    }

    /** Children outside of the members that have had a turn, before anything is locked. */
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
