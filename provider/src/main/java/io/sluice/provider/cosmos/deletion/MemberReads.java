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
import java.util.LinkedHashMap;
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

    /** What becomes of a member. */
    private enum Verdict {
        GOES,
        IS_NONE,
        RUNS,
        HAS_NOT_BEGUN,
        IS_ANOTHER,
        /** An undecided deletion holds it. */
        IS_HELD;

        boolean stays() {
            return this != GOES && this != IS_NONE;
        }
    }

    private final ContainerRequests requests;
    private final MemberLocks locks;
    private final TurnFinisher finisher;
    private final DeletionHelp help;
    private final MembersAtOnce atOnce;

    MemberReads(
            ContainerRequests requests,
            MemberLocks locks,
            TurnFinisher finisher,
            DeletionHelp help,
            MembersAtOnce atOnce) {
        this.atOnce = atOnce;
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
        Map<String, Verdict> refused = new LinkedHashMap<>();
        Set<String> members = new LinkedHashSet<>(instances);
        Map<String, Stored<InstanceDocument>> stored = locks.readAll(targets.call(), members);
        Map<String, Judged> judged =
                atOnce.map(targets.call(), members, (call, member) -> judge(targets, call, member, stored.get(member)));
        for (Map.Entry<String, Judged> one : judged.entrySet()) {
            Verdict verdict = one.getValue().verdict();
            if (verdict == Verdict.IS_HELD) {
                return new Busy(one.getKey());
            }
            if (verdict.stays()) {
                refused.put(one.getKey(), verdict);
            } else if (verdict == Verdict.GOES) {
                targets.add(one.getKey(), Optional.ofNullable(one.getValue().head()));
            }
        }
        return refused.isEmpty() ? null : refusal(refused);
    }

    /** What becomes of a member in the version that was read; the head is null when there is none. */
    private record Judged(Verdict verdict, @Nullable Stored<InstanceDocument> head) {}

    private Judged judge(DeletionTargets targets, Call call, String member, @Nullable Stored<InstanceDocument> stored) {
        Optional<Stored<InstanceDocument>> head = finishTurn(call, member, Optional.ofNullable(stored));
        if (head.isPresent()) {
            DeletionState other = otherDeletion(targets, call, head.get().document());
            if (other == DeletionState.UNDECIDED) {
                return new Judged(Verdict.IS_HELD, head.get());
            }
            head = other == DeletionState.REMOVED ? readAtRest(call, member) : head;
        }
        return head.isPresent()
                ? new Judged(judge(targets, call, head.get().document()), head.get())
                : new Judged(judgeWithoutHead(targets, call, member), null);
    }

    private DeletionState otherDeletion(DeletionTargets targets, Call call, InstanceDocument head) {
        return targets.terms().isUnreadableGivenUp()
                ? help.helpByForce(call, head.instanceId(), head.lockToken())
                : help.help(call, head.instanceId(), head.lockToken());
    }

    private static Refused refusal(Map<String, Verdict> refused) {
        List<String> notBegun = refused.keySet().stream()
                .filter(member -> refused.get(member) == Verdict.HAS_NOT_BEGUN)
                .toList();
        return new Refused(List.copyOf(refused.keySet()), notBegun);
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

    /** Judges this version of a member by its state alone. */
    private Verdict judge(DeletionTargets targets, Call call, InstanceDocument head) {
        String member = head.instanceId();
        if (!targets.terms().isFit(head)) {
            return Verdict.IS_ANOTHER;
        }
        return targets.terms().isForced(member) ? Verdict.GOES : judgeUnforced(call, head);
    }

    /** An instance also runs between two executions, while the message that starts the next one is queued. */
    private Verdict judgeUnforced(Call call, InstanceDocument head) {
        return switch (head.status()) {
            case InstanceDocument.RUNNING -> head.isSurelyAcked() ? Verdict.RUNS : judgeDoubtful(call, head);
            case InstanceDocument.CONTINUED_AS_NEW ->
                requests.query(call, head.instanceId(), SqlQuery.of(SUCCESSOR))
                                .rows()
                                .isEmpty()
                        ? Verdict.GOES
                        : Verdict.RUNS;
            default -> Verdict.GOES;
        };
    }

    private Verdict judgeDoubtful(Call call, InstanceDocument head) {
        PartitionContents contents = PartitionContents.of(requests, call, head.instanceId());
        if (contents.isAcked(head)) {
            return Verdict.RUNS;
        }
        return contents.isStartedOnly(head) ? Verdict.HAS_NOT_BEGUN : Verdict.GOES;
    }

    private Verdict judgeWithoutHead(DeletionTargets targets, Call call, String member) {
        return switch (targets.terms().withoutHead(member)) {
            case REFUSED -> Verdict.IS_ANOTHER;
            case PASSED_OVER -> Verdict.IS_NONE;
            case TAKEN -> {
                PartitionContents contents = PartitionContents.of(requests, call, member);
                if (contents.isEmpty()) {
                    yield Verdict.IS_NONE;
                }
                yield contents.hasStart() && !targets.terms().isForced(member) ? Verdict.HAS_NOT_BEGUN : Verdict.GOES;
            }
        };
    }

    /** Finds out why this version of a member can't be locked; null when it can. */
    @Nullable
    DeletionOutcome findRefusal(DeletionTargets targets, Call call, InstanceDocument head) {
        String member = head.instanceId();
        return switch (otherDeletion(targets, call, head)) {
            case REMOVED -> new Moved(member);
            case UNDECIDED -> new Busy(member);
            case FREE -> {
                Verdict verdict = judge(targets, call, head);
                yield verdict.stays() ? refusal(Map.of(member, verdict)) : null;
            }
        };
    }
}
