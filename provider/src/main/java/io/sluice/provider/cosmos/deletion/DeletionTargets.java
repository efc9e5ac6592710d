package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The members of one attempt to delete, and what the attempt has read and done. Used by one thread. */
final class DeletionTargets {
    private final Call call;
    private final Predicate<String> forced;
    private final @Nullable Predicate<InstanceDocument> condition;
    private final Map<String, Optional<Stored<InstanceDocument>>> heads = new LinkedHashMap<>();
    private final Map<String, InstanceDocument> locked = new LinkedHashMap<>();
    private final Set<String> created = new HashSet<>();

    private DeletionTargets(Call call, Predicate<String> forced, @Nullable Predicate<InstanceDocument> condition) {
        this.call = call;
        this.forced = forced;
        this.condition = condition;
    }

    /**
     * No members yet.
     *
     * @param forced says whether a member may be deleted though it runs
     */
    static DeletionTargets of(Call call, Predicate<String> forced) {
        return new DeletionTargets(call, forced, null);
    }

    /** No members yet; those are deleted, running or not, whose head satisfies the condition when it is locked. */
    static DeletionTargets onCondition(Call call, Predicate<InstanceDocument> condition) {
        return new DeletionTargets(call, member -> true, condition);
    }

    Call call() {
        return call;
    }

    /** Whether the member may be deleted though it runs. */
    boolean isForced(String member) {
        return forced.test(member);
    }

    /** Whether a condition on the heads was given: what has none can't satisfy it, and is no member. */
    boolean isConditional() {
        return condition != null;
    }

    /** Whether this version of a member satisfies the condition, if one was given. */
    boolean isFit(InstanceDocument head) {
        return condition == null || condition.test(head);
    }

    /** Adds a member that has documents; its head may be missing. */
    void add(String member, Optional<Stored<InstanceDocument>> head) {
        heads.put(member, head);
    }

    boolean isEmpty() {
        return heads.isEmpty();
    }

    Set<String> members() {
        return heads.keySet();
    }

    /** The head as it was read first. */
    Optional<Stored<InstanceDocument>> head(String member) {
        return heads.getOrDefault(member, Optional.empty());
    }

    /** Notes that a member was locked; when it had no head, the lock created one. */
    void markLocked(String member, Optional<Stored<InstanceDocument>> head) {
        if (head.isEmpty()) {
            created.add(member);
        }
        locked.put(member, head.map(Stored::document).orElseGet(() -> InstanceDocument.skeleton(member, "", "", 0)));
    }

    /** The locked members in order, each as it was before its lock. */
    Map<String, InstanceDocument> locked() {
        return locked;
    }

    /** Whether the lock created the member's head, which is deleted when the deletion is aborted. */
    boolean isCreated(String member) {
        return created.contains(member);
    }

    /** Children before their parents; the last is a root. */
    List<String> leafFirst() {
        Map<String, Integer> depths = new HashMap<>();
        heads.keySet().forEach(member -> depths.put(member, depth(member)));
        List<String> members = new ArrayList<>(heads.keySet());
        members.sort(Comparator.comparing((String member) -> depths.getOrDefault(member, 0))
                .reversed());
        return members;
    }

    private int depth(String member) {
        int depth = 0;
        @Nullable String parent = parent(member);
        // The bound ends a circle of parents, which only a manual edit can make.
        while (parent != null && heads.containsKey(parent) && depth < heads.size()) {
            depth++;
            parent = parent(parent);
        }
        return depth;
    }

    private @Nullable String parent(String member) {
        return head(member).map(head -> head.document().parentInstanceId()).orElse(null);
    }
}
