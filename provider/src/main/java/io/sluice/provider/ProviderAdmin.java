package io.sluice.provider;

import io.sluice.provider.history.HistoryEvent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reading a store as a whole, and removing from it. Operations keep the names of the duroxide contract, in camel
 * case. Thread-safe.
 *
 * <p>Every method throws {@link ProviderException}, also for arguments that make no sense, null apart; the method
 * comments name only the particular errors. An instance
 * exists here from its first ack on.
 */
public interface ProviderAdmin {
    /** Ids of all instances, newest first. */
    List<String> listInstances();

    /** Ids of the instances whose current execution has this status, newest first; none for what is no status. */
    List<String> listInstancesByStatus(String status);

    /** Ids of an instance's executions, ascending; empty for an unknown instance. */
    List<Long> listExecutions(String instance);

    /**
     * History of one execution, ascending by event id; empty when unknown. Permanent error when an event can't be
     * decoded.
     */
    List<HistoryEvent> readHistoryWithExecutionId(String instance, long executionId);

    /**
     * History of the latest execution; empty for an unknown instance. Permanent error when an event can't be decoded.
     */
    List<HistoryEvent> readHistory(String instance);

    /** Highest execution id; permanent error for an unknown instance. */
    long latestExecutionId(String instance);

    /** An instance without its history; permanent error "not found" for an unknown one. */
    InstanceInfo getInstanceInfo(String instance);

    /** An execution without its history; permanent error for an unknown one. */
    ExecutionInfo getExecutionInfo(String instance, long executionId);

    /** Counts over the whole store. */
    SystemMetrics getSystemMetrics();

    /** Items waiting in the queues. */
    QueueDepths getQueueDepths();

    /**
     * Documents of the queues that nobody can take, since their fields or their work items can't be read; no other
     * operation shows them. Reads both queues from their beginning, page by page, until so many are found: what it
     * costs grows with what waits in them.
     *
     * @param limit at least 1
     * @return none, in a store that takes in nothing malformed
     */
    default List<MalformedQueueDocument> listMalformedQueueDocuments(int limit) {
        if (limit < 1) {
            throw ProviderException.permanent("listMalformedQueueDocuments", "limit must be at least 1, was " + limit);
        }
        return List.of();
    }

    /** Ids of the direct children; empty for a leaf and for an unknown instance. */
    List<String> listChildren(String instance);

    /** The parent; nothing for a root. Permanent error for an unknown instance. */
    Optional<String> getParentId(String instance);

    /** The instance with all its descendants; an unknown id yields a tree of itself alone. */
    default InstanceTree getInstanceTree(String instance) {
        Set<String> ids = new LinkedHashSet<>(Set.of(instance));
        List<String> open = new ArrayList<>(ids);
        for (int i = 0; i < open.size(); i++) {
            for (String child : listChildren(open.get(i))) {
                if (ids.add(child)) {
                    open.add(child);
                }
            }
        }
        return new InstanceTree(instance, open);
    }

    /**
     * Removes a root with its whole tree.
     *
     * @param force removes running instances too, those that were started and have not begun, and those that another
     *     deletion holds whose record is malformed: that deletion is given up
     * @throws ProviderException permanent when it is unknown, a child of another instance (even with force), or
     *     something of the tree runs and {@code force} is false
     */
    default DeleteInstanceResult deleteInstance(String instance, boolean force) {
        Optional<String> parent = getParentId(instance);
        if (parent.isPresent()) {
            throw ProviderException.permanent(
                    "deleteInstance",
                    "instance '" + instance + "' is a sub-orchestration of '" + parent.get()
                            + "'; delete the root of its tree instead");
        }
        return deleteInstancesAtomic(getInstanceTree(instance).allIds(), force);
    }

    /**
     * Removes these instances in one atomic step: history, executions, both queues, key values, locks. Afterwards no
     * ack of an old token succeeds, and the ids may be used again at once.
     *
     * <p>Children whose start is still on its way are not started any more, once no other child stands against the
     * deletion; also if it fails after that.
     *
     * @param force removes running instances too, those that were started and have not begun, and those that another
     *     deletion holds whose record is malformed: that deletion is given up
     * @throws ProviderException permanent when one runs, or was started and has not begun, and {@code force} is false,
     *     or when an instance outside of the list is the child of one inside; nothing is removed then
     */
    DeleteInstanceResult deleteInstancesAtomic(List<String> instances, boolean force);

    /**
     * Removes these instances in one atomic step, running or not, each on condition of the version that is removed:
     * what the condition has judged is locked in that very version, and judged again when it has changed. So an
     * instance that takes the place of another under its id is judged by itself. Instances that wait for their first
     * turn are judged as well; ids without an instance are skipped.
     *
     * @param condition judges an instance without its texts; called at least once for each instance, and again for
     *     every new version of it
     * @return what was removed; empty, with nothing removed, when an instance does not satisfy the condition, or when
     *     an instance outside of the list is the child of one inside
     */
    Optional<DeleteInstanceResult> deleteInstancesIf(List<String> instances, Predicate<InstanceSummary> condition);

    /**
     * Removes finished roots that match, each with its whole tree. Running roots, children named directly and unknown
     * ids are skipped, and a root that is not in the execution any more in which it matched. One that fails is
     * skipped as well: with an error in the log, if it would always fail.
     *
     * @param filter its limit counts roots
     * @throws ProviderException retryable, after all others were removed, when some failed for now, with what was
     *     removed in its message; earlier when nothing has succeeded for ten minutes
     */
    DeleteInstanceResult deleteInstanceBulk(InstanceFilter filter);

    /**
     * Removes history and record of an instance's finished executions; key values stay. Permanent error for an unknown
     * instance.
     */
    PruneResult pruneExecutions(String instance, PruneOptions options);

    /**
     * Prunes every instance that matches, running ones included. One that fails is skipped.
     *
     * @throws ProviderException as {@link #deleteInstanceBulk} does
     */
    PruneResult pruneExecutionsBulk(InstanceFilter filter, PruneOptions options);
}
