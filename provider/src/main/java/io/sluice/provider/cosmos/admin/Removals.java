package io.sluice.provider.cosmos.admin;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.DeletionOutcome;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.Call;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes lists and trees: repeats attempts that others got in the way of, and says in the contract's words why one is
 * refused.
 */
final class Removals {
    private final Deletions deletions;
    private final Consumer<String> freed;

    /**
     * Deletes through these.
     *
     * @param freed called with every id that may be used again
     */
    Removals(Deletions deletions, Consumer<String> freed) {
        this.deletions = deletions;
        this.freed = freed;
    }

    /** Deletes exactly these; a child outside of the list is an error. */
    DeleteInstanceResult all(Call call, List<String> instances, boolean force) {
        DeletionOutcome outcome = patiently(call, instances, () -> deletions.attempt(call, instances, member -> force));
        if (outcome instanceof DeletionOutcome.ChildrenOutside children) {
            List<String> outside = new ArrayList<>(children.started());
            outside.addAll(children.starting());
            throw ProviderException.permanent(
                    call.operation(),
                    "instances to delete have children outside of the list, which would be orphans: " + outside
                            + "; list the whole tree. Nothing was deleted");
        }
        return result(call, outcome);
    }

    /** Deletes exactly these, each in a version that satisfies the condition; nothing when one can't go. */
    Optional<DeleteInstanceResult> allIf(Call call, List<String> instances, Predicate<InstanceDocument> condition) {
        DeletionOutcome outcome = patiently(call, instances, () -> deletions.attemptIf(call, instances, condition));
        boolean mustStay =
                outcome instanceof DeletionOutcome.Refused || outcome instanceof DeletionOutcome.ChildrenOutside;
        return mustStay ? Optional.empty() : Optional.of(result(call, outcome));
    }

    /** Deletes a tree; children that show up meanwhile are deleted with it. */
    DeleteInstanceResult tree(Call call, List<String> known, boolean force) {
        return result(call, tree(call, known, member -> force, force));
    }

    /** Deletes the tree of a root that does not run, whatever its descendants do; nothing when it runs after all. */
    DeleteInstanceResult treeOfFinished(Call call, String root, List<String> known) {
        DeletionOutcome outcome = tree(call, known, member -> !member.equals(root), true);
        return outcome instanceof DeletionOutcome.Refused ? DeleteInstanceResult.NOTHING : result(call, outcome);
    }

    private DeletionOutcome tree(Call call, List<String> known, Predicate<String> forced, boolean startingToo) {
        Set<String> members = new LinkedHashSet<>(known);
        while (true) {
            List<String> tree = List.copyOf(members);
            DeletionOutcome outcome = patiently(call, tree, () -> deletions.attemptTree(call, tree, forced));
            if (!(outcome instanceof DeletionOutcome.ChildrenOutside children)) {
                return outcome;
            }
            if (!startingToo && !children.starting().isEmpty()) {
                return new DeletionOutcome.Refused(children.starting());
            }
            boolean grown = members.addAll(children.started());
            grown |= members.addAll(children.starting());
            if (!grown || call.deadline().isOver()) {
                return new DeletionOutcome.Moved();
            }
        }
    }

    private DeletionOutcome patiently(Call call, List<String> instances, Supplier<DeletionOutcome> attempt) {
        Backoff backoff = new Backoff();
        while (true) {
            DeletionOutcome outcome = attempt.get();
            boolean again = outcome instanceof DeletionOutcome.Busy || outcome instanceof DeletionOutcome.Moved;
            if (!again || !backoff.pause(call, null)) {
                if (outcome instanceof DeletionOutcome.Deleted) {
                    instances.forEach(freed);
                }
                return outcome;
            }
        }
    }

    private static DeleteInstanceResult result(Call call, DeletionOutcome outcome) {
        if (outcome instanceof DeletionOutcome.Deleted deleted) {
            return deleted.result();
        }
        if (outcome instanceof DeletionOutcome.Refused refused) {
            throw running(call, refused.instances());
        }
        throw busy(call, outcome instanceof DeletionOutcome.Busy busy ? busy.instance() : null);
    }

    private static ProviderException running(Call call, List<String> instances) {
        return ProviderException.permanent(
                call.operation(),
                "instances are still running: " + instances
                        + "; wait for their end, or delete with force. Nothing was deleted");
    }

    private static ProviderException busy(Call call, @Nullable String instance) {
        return ProviderException.retryable(
                call.operation(),
                call.operation() + " on " + call.subject() + " failed, others kept changing "
                        + (instance == null ? "it" : "instance '" + instance + "'") + "; nothing was deleted",
                null);
    }
}
