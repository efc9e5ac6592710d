package io.sluice.provider.cosmos.admin;

import io.sluice.provider.cosmos.deletion.DeletionTerms;
import io.sluice.provider.document.InstanceDocument;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes the tree of a root that had ended when it was chosen: the root in that very execution, and what is a
 * descendant of it still. An ended execution never changes, so whatever the root was chosen for holds then, too.
 */
final class FinishedTree implements DeletionTerms {
    private final InstanceDocument root;
    private final Set<String> members;
    private final Set<String> starting;

    /**
     * The terms for these members.
     *
     * @param root as it was when it was chosen
     * @param starting those of the members that had not begun when they were found
     */
    FinishedTree(InstanceDocument root, List<String> members, Set<String> starting) {
        this.root = root;
        this.members = new HashSet<>(members);
        this.starting = Set.copyOf(starting);
    }

    /** Descendants are deleted whatever they do. */
    @Override
    public boolean isForced(String member) {
        return !isRoot(member);
    }

    @Override
    public boolean isFit(InstanceDocument head) {
        if (isRoot(head.instanceId())) {
            return head.createdAt() == root.createdAt()
                    && head.currentExecutionId() == root.currentExecutionId()
                    && head.status().equals(root.status());
        }
        return starting.contains(head.instanceId()) || members.contains(head.parentInstanceId());
    }

    @Override
    public Headless withoutHead(String member) {
        if (isRoot(member)) {
            return Headless.REFUSED;
        }
        return starting.contains(member) ? Headless.TAKEN : Headless.PASSED_OVER;
    }

    private boolean isRoot(String member) {
        return member.equals(root.instanceId());
    }
}
