package io.sluice.provider.cosmos.deletion;

import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.request.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The members of one attempt to delete, and what the attempt has read and done. Members are added by one thread, before
 * any is locked; locks are noted by several.
 */
final class DeletionTargets {
    private final Call call;
    private final DeletionTerms terms;
    private final Map<String, Optional<Stored<InstanceDocument>>> heads = new LinkedHashMap<>();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final Map<String, InstanceDocument> locked = new ConcurrentHashMap<>();

    /** No members yet. */
    DeletionTargets(Call call, DeletionTerms terms) {
        this.call = call;
        this.terms = terms;
    }

    Call call() {
        return call;
    }

    DeletionTerms terms() {
        return terms;
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

    /** Notes that a lock is asked for, which may be written however the request ends. */
    void markAsked(String member) {
        asked.add(member);
    }

    /** The members that may be locked. */
    Set<String> asked() {
        return asked;
    }

    /** Notes that a member was locked, with the head it had before. */
    void markLocked(String member, Optional<Stored<InstanceDocument>> head) {
        locked.put(member, head.map(Stored::document).orElseGet(() -> InstanceDocument.skeleton(member, "", "", 0)));
    }

    /** A locked member as it was before its lock. */
    InstanceDocument locked(String member) {
        return Objects.requireNonNull(locked.get(member), member);
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
