package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.cosmos.deletion.DeletionOutcome.Busy;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Moved;
import io.sluice.provider.cosmos.deletion.DeletionOutcome.Refused;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads members, finishes turns that are under way there, and says why a member can't be deleted. Thread-safe. */
final class MemberReads {
    private static final String SUCCESSOR =
            "SELECT c.id FROM c WHERE c.type = 'orch_queue'" + " AND STARTSWITH(c.workItem, '{\"ContinueAsNew\"')";

    private final ContainerRequests requests;
    private final MemberLocks locks;
    private final TurnFinisher finisher;
    private final DeletionHelp help;

    MemberReads(ContainerRequests requests, MemberLocks locks, TurnFinisher finisher, DeletionHelp help) {
        this.requests = requests;
        this.locks = locks;
        this.finisher = finisher;
        this.help = help;
    }

    /**
     * Reads these instances into the targets, before anything is written; an instance without any document is left out.
     * Returns why they can't be deleted, or null.
     */
    @Nullable
    DeletionOutcome read(DeletionTargets targets, List<String> instances) {
        Call call = targets.call();
        List<String> refused = new ArrayList<>();
        Set<String> members = new LinkedHashSet<>(instances);
        Map<String, Stored<InstanceDocument>> stored = locks.readAll(call, members);
        for (String member : members) {
            Optional<Stored<InstanceDocument>> head = finishTurn(call, member, Optional.ofNullable(stored.get(member)));
            if (head.isPresent()) {
                DeletionState other =
                        help.help(call, member, head.get().document().lockToken());
                if (other == DeletionState.UNDECIDED) {
                    return new Busy(member);
                }
                head = other == DeletionState.REMOVED ? readAtRest(call, member) : head;
            }
            if (head.isPresent() && findRefused(targets, head.get().document())) {
                refused.add(member);
            }
            if (head.isPresent()
                    || (!targets.isConditional()
                            && !PartitionContents.of(requests, call, member).isEmpty())) {
                targets.add(member, head);
            }
        }
        return refused.isEmpty() ? null : new Refused(refused);
    }

    /** The head, after a turn of several batches that was under way has been finished. */
    Optional<Stored<InstanceDocument>> readAtRest(Call call, String member) {
        return finishTurn(call, member, locks.read(call, member));
    }

    private Optional<Stored<InstanceDocument>> finishTurn(
            Call call, String member, Optional<Stored<InstanceDocument>> head) {
        boolean staged =
                head.filter(found -> found.document().isLockedFar() && !Deletions.isHeldByOne(found.document()))
                                .isPresent()
                        && finisher.finishIfAny(call, member);
        return staged ? locks.read(call, member) : head;
    }

    /** Finds out whether this version of a member must stay, by its state alone. */
    private boolean findRefused(DeletionTargets targets, InstanceDocument head) {
        return !targets.isFit(head) || (!targets.isForced(head.instanceId()) && findRunning(targets.call(), head));
    }

    /**
     * Finds out whether the instance runs. It also runs between two executions, while the message that starts the next
     * one is queued.
     */
    private boolean findRunning(Call call, InstanceDocument head) {
        return switch (head.status()) {
            case InstanceDocument.RUNNING ->
                head.isSurelyAcked()
                        || PartitionContents.of(requests, call, head.instanceId())
                                .isAcked(head);
            case InstanceDocument.CONTINUED_AS_NEW ->
                !requests.query(call, head.instanceId(), SqlQuery.of(SUCCESSOR))
                        .rows()
                        .isEmpty();
            default -> false;
        };
    }

    /** Finds out why this version of a member can't be locked; null when it can. */
    @Nullable
    DeletionOutcome findRefusal(DeletionTargets targets, InstanceDocument head) {
        String member = head.instanceId();
        return switch (help.help(targets.call(), member, head.lockToken())) {
            case REMOVED -> new Moved();
            case UNDECIDED -> new Busy(member);
            case FREE -> findRefused(targets, head) ? new Refused(List.of(member)) : null;
        };
    }
}
