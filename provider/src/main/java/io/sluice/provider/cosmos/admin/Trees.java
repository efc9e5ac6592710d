package io.sluice.provider.cosmos.admin;

import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.request.Call;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the descendants of instances by one search for each level, however many instances are on it. */
final class Trees {
    private final Heads heads;

    Trees(Heads heads) {
        this.heads = heads;
    }

    /** The ids of a root and its descendants, parents before their children. */
    List<String> of(Call call, String root) {
        return of(call, List.of(root)).getOrDefault(root, List.of(root));
    }

    /** The same for several roots, none of which descends from another. */
    Map<String, List<String>> of(Call call, List<String> roots) {
        Map<String, List<String>> trees = new LinkedHashMap<>();
        Map<String, List<String>> treeOf = new LinkedHashMap<>();
        for (String root : roots) {
            List<String> tree = new ArrayList<>(List.of(root));
            trees.put(root, tree);
            treeOf.put(root, tree);
        }
        List<String> level = List.copyOf(roots);
        while (!level.isEmpty()) {
            List<String> next = new ArrayList<>();
            for (InstanceDocument child : heads.childrenOf(call.again(), level)) {
                List<String> tree = treeOf.getOrDefault(child.parentInstanceId(), List.of());
                // One that is there already closes a circle, which only a hand could have drawn.
                if (treeOf.putIfAbsent(child.instanceId(), tree) == null) {
                    tree.add(child.instanceId());
                    next.add(child.instanceId());
                }
            }
            level = next;
        }
        return trees;
    }
}
