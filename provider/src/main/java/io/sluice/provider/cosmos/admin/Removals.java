package io.sluice.provider.cosmos.admin;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.DeletionOutcome;
import io.sluice.provider.cosmos.deletion.DeletionTerms;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.request.Backoff;
import io.sluice.provider.request.Call;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

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
        DeletionOutcome outcome =
                patiently(call, instances, () -> deletions.attempt(call, instances, DeletionTerms.byForce(force)));
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
        DeletionOutcome outcome = patiently(
                call, instances, () -> deletions.attempt(call, instances, DeletionTerms.onCondition(condition)));
        boolean mustStay =
                outcome instanceof DeletionOutcome.Refused || outcome instanceof DeletionOutcome.ChildrenOutside;
        return mustStay ? Optional.empty() : Optional.of(result(call, outcome));
    }

    /** Deletes a tree; children that show up meanwhile are deleted with it. */
    DeleteInstanceResult tree(Call call, List<String> known, boolean force) {
        return result(call, tree(call, known, force, (members, starting) -> DeletionTerms.byForce(force)));
    }

    /**
     * Deletes the tree of a root that had ended when it was chosen, whatever its descendants do; nothing when the root
     * is not the same any more.
     */
    DeleteInstanceResult treeOfFinished(Call call, InstanceDocument root, List<String> known) {
        DeletionOutcome outcome =
                tree(call, known, true, (members, starting) -> new FinishedTree(root, members, starting));
        return outcome instanceof DeletionOutcome.Refused ? DeleteInstanceResult.NOTHING : result(call, outcome);
    }

    /** What the members of a tree must be like, of which some were only known to be starting. */
    private interface TermsOfTree {
        DeletionTerms of(List<String> members, Set<String> starting);
    }

    private DeletionOutcome tree(Call call, List<String> known, boolean startingToo, TermsOfTree terms) {
        Set<String> members = new LinkedHashSet<>(known);
        Set<String> starting = new HashSet<>();
        while (true) {
            List<String> tree = List.copyOf(members);
            DeletionTerms now = terms.of(tree, starting);
            DeletionOutcome outcome = patiently(call, tree, () -> deletions.attemptTree(call, tree, now));
            if (!(outcome instanceof DeletionOutcome.ChildrenOutside children)) {
                return outcome;
            }
            if (!startingToo && !children.starting().isEmpty()) {
                return new DeletionOutcome.Refused(children.starting(), children.starting());
            }
            boolean grown = members.addAll(children.started());
            grown |= members.addAll(children.starting());
            grown |= starting.addAll(children.starting());
            if (!grown || call.deadline().isOver()) {
                return new DeletionOutcome.Moved(null);
            }
        }
    }

    private DeletionOutcome patiently(Call call, List<String> instances, Supplier<DeletionOutcome> attempt) {
        Backoff backoff = new Backoff();
        while (true) {
            DeletionOutcome outcome = attempt.get();
            if (!(outcome instanceof DeletionOutcome.Passing) || !backoff.pause(call, null)) {
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
            throw running(call, refused);
        }
        String reason =
                outcome instanceof DeletionOutcome.Passing passing ? passing.reason() : "children were started in it";
        throw ProviderException.retryable(
                call.operation(),
                call.operation() + " on " + call.subject() + " failed, " + reason + "; nothing was deleted",
                null);
    }

    private static ProviderException running(Call call, DeletionOutcome.Refused refused) {
        String notBegun =
                refused.notBegun().isEmpty() ? "" : " (started, and not begun yet: " + refused.notBegun() + ")";
        return ProviderException.permanent(
                call.operation(),
                "instances are still running: " + refused.instances() + notBegun
                        + "; wait for their end, or delete with force. Nothing was deleted");
    }
}
