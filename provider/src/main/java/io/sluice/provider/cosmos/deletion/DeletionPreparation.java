package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.cosmos.deletion.DeletionOutcome.Deleted;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Moved;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Locks every member, several at a time, waits for the relay, and then, when no member can change any more, searches
 * again for children outside. Thread-safe.
 */
final class DeletionPreparation {
    private final MemberLocks locks;
    private final MemberReads reads;
    private final HistoryGate gate;
    private final OutsideChildren children;
    private final MembersAtOnce atOnce;

    DeletionPreparation(
            MemberLocks locks, MemberReads reads, HistoryGate gate, OutsideChildren children, MembersAtOnce atOnce) {
        this.atOnce = atOnce;
        this.locks = locks;
        this.reads = reads;
        this.gate = gate;
        this.children = children;
    }

    /**
     * Returns {@link Deleted} with the counts of the result when the deletion may be committed, else the reason against
     * it. When it throws, no request for a lock is under way, unless the thread was interrupted.
     *
     * @throws DeletionAbortedException when another process has aborted the deletion; no member is locked afterwards
     */
    DeletionOutcome prepare(DeletionTargets targets, OpenDeletion deletion) {
        @Nullable
        DeletionOutcome refused = atOnce.untilAny(
                targets.call(), deletion.members(), (call, member) -> lock(targets, deletion, call, member));
        if (refused != null) {
            return refused;
        }
        // The relay comes first, since it may be away, and refused intents can't be restored. No member's history grows
        // any more.
        gate.await(targets.call().again(), deletion.members(), atOnce, deletion::proceeded);
        return children.settle(targets, deletion);
    }

    /** Searches for children that have had a turn and are not members, before anything is locked. */
    List<String> findStartedChildren(DeletionTargets targets) {
        return children.started(targets);
    }

    private @Nullable DeletionOutcome lock(DeletionTargets targets, OpenDeletion deletion, Call call, String member) {
        String token = deletion.token();
        targets.markAsked(member);
        Optional<Stored<InstanceDocument>> known = targets.head(member);
        Optional<Stored<InstanceDocument>> head = known;
        while (!locks.tryLock(call, token, member, head.orElse(null))) {
            head = reads.readAtRest(call, member);
            if (head.isPresent() && head.get().document().bears(token)) {
                break;
            }
            @Nullable
            DeletionOutcome refused = head.isEmpty()
                    ? (known.isPresent() ? new Moved(member) : null)
                    : reads.findRefusal(targets, call, head.get().document());
            if (refused == null && call.deadline().isOver()) {
                refused = new Moved(member);
            }
            if (refused != null) {
                return refused;
            }
            deletion.requireOpenWhenOverdue();
        }
        targets.markLocked(member, head);
        deletion.proceeded();
        return null;
    }
}
