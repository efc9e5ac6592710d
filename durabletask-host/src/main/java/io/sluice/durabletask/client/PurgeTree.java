package io.sluice.durabletask.client;

import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.provider.InstanceSummary;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Instances that are removed together: a root, and those below it that have ended and whose parent is the member that
 * named them.
 *
 * @param root whose parent does not matter
 * @param parents the other members, each with its parent
 * @param running children of members that have not ended, so that they stay
 */
record PurgeTree(String root, Map<String, String> parents, Set<String> running) {
    PurgeTree {
        parents = Map.copyOf(parents);
        running = Set.copyOf(running);
    }

    /** One instance alone. */
    static PurgeTree of(String root) {
        return new PurgeTree(root, Map.of(), Set.of());
    }

    List<String> members() {
        return Stream.concat(Stream.of(root), parents.keySet().stream()).toList();
    }

    /**
     * Whether this state of a member still lets it go: it may have run again, or be another instance by now. A root is
     * the caller's to judge.
     */
    boolean mayGo(InstanceSummary member) {
        return member.instanceId().equals(root)
                || (OrchestrationStates.hasEnded(member) && isChild(member, parents.get(member.instanceId())));
    }

    /** Whether this is the parent that awaits the instance. */
    static boolean isChild(InstanceSummary instance, @Nullable String parent) {
        return parent != null
                && OrchestrationStates.parent(instance).filter(parent::equals).isPresent();
    }
}
