package io.sluice.provider.cosmos.admin;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.PruneResult;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.request.Call;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Deletes and prunes many instances, one after the other, the oldest first. One that fails does not stop those after
 * it, or it would do so in every run. Thread-safe.
 */
final class BulkOperations {
    private static final Duration TO_FIND = Duration.ofSeconds(60);

    private final Selection selection;
    private final Trees trees;
    private final Removals removals;
    private final Pruning pruning;
    private final FailuresInBulk.Patience patience;

    BulkOperations(
            Selection selection, Trees trees, Removals removals, Pruning pruning, FailuresInBulk.Patience patience) {
        this.selection = selection;
        this.trees = trees;
        this.removals = removals;
        this.pruning = pruning;
        this.patience = patience;
    }

    /** Deletes finished roots that match, each with its tree, if it still is what was chosen. */
    DeleteInstanceResult delete(String operation, InstanceFilter filter) {
        List<InstanceDocument> roots = selection.select(onAll(operation), filter, Selection.Kind.FINISHED_ROOT);
        Map<String, List<String>> known = trees.of(
                onAll(operation),
                roots.stream().map(InstanceDocument::instanceId).toList());
        FailuresInBulk failures = new FailuresInBulk(operation, patience);
        DeleteInstanceResult total = DeleteInstanceResult.NOTHING;
        for (InstanceDocument root : roots) {
            List<String> tree = known.getOrDefault(root.instanceId(), List.of(root.instanceId()));
            total = total.plus(failures.run(
                    root.instanceId(),
                    call -> removals.treeOfFinished(call, root, tree),
                    DeleteInstanceResult.NOTHING,
                    total));
        }
        failures.throwIfAny(total);
        return total;
    }

    /** Prunes instances that match, and still live the life they were chosen in. */
    PruneResult prune(String operation, InstanceFilter filter, PruneOptions options) {
        FailuresInBulk failures = new FailuresInBulk(operation, patience);
        PruneResult total = PruneResult.NOTHING;
        for (InstanceDocument head : selection.select(onAll(operation), filter, Selection.Kind.ANY)) {
            total = total.plus(failures.run(
                    head.instanceId(),
                    call -> pruning.pruneIfThere(call, head, options).orElse(PruneResult.NOTHING),
                    PruneResult.NOTHING,
                    total));
        }
        failures.throwIfAny(total);
        return total;
    }

    private static Call onAll(String operation) {
        return Call.scan(operation, TO_FIND);
    }
}
