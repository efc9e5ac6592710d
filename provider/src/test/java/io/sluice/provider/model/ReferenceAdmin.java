package io.sluice.provider.model;

import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.ExecutionInfo;
import io.sluice.provider.InstanceFilter;
import io.sluice.provider.InstanceInfo;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.PruneOptions;
import io.sluice.provider.PruneResult;
import io.sluice.provider.QueueDepths;
import io.sluice.provider.SystemMetrics;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.model.Model.Execution;
import io.sluice.provider.model.Model.Instance;
import io.sluice.provider.work.WorkItem;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The contract's admin operations over a {@link Model}. Thread-safe by the store's monitor. */
final class ReferenceAdmin implements ProviderAdmin {
    private static final Set<String> TERMINAL = Set.of("Completed", "Failed", "ContinuedAsNew");

    private final ReferenceStore store;
    private final Model model;
    private final InstantSource clock;

    ReferenceAdmin(ReferenceStore store, Model model, InstantSource clock) {
        this.store = store;
        this.model = model;
        this.clock = clock;
    }

    private Instance instance(String operation, String id) {
        return Optional.ofNullable(model.instances.get(id))
                .orElseThrow(() -> ReferenceStore.refused(operation, "instance '" + id + "' not found"));
    }

    private List<String> ids(Predicate<Instance> which) {
        synchronized (store) {
            return model.instances.entrySet().stream()
                    .filter(each -> which.test(each.getValue()))
                    .sorted(Comparator.comparingLong((Map.Entry<String, Instance> each) -> each.getValue().createdAt)
                            .reversed())
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    @Override
    public List<String> listInstances() {
        return ids(instance -> true);
    }

    @Override
    public List<String> listInstancesByStatus(String status) {
        return ids(instance -> instance.execution().status.equals(status));
    }

    @Override
    public List<Long> listExecutions(String id) {
        synchronized (store) {
            var instance = model.instances.get(id);
            return instance == null ? List.of() : List.copyOf(instance.executions.keySet());
        }
    }

    @Override
    public List<HistoryEvent> readHistoryWithExecutionId(String id, long executionId) {
        return store.readWithExecution(id, executionId);
    }

    @Override
    public List<HistoryEvent> readHistory(String id) {
        return store.read(id);
    }

    @Override
    public long latestExecutionId(String id) {
        synchronized (store) {
            return instance("latestExecutionId", id).current;
        }
    }

    @Override
    public InstanceInfo getInstanceInfo(String id) {
        synchronized (store) {
            var instance = instance("getInstanceInfo", id);
            var execution = instance.execution();
            return new InstanceInfo(
                    id,
                    instance.name,
                    instance.version,
                    instance.current,
                    execution.status,
                    execution.output,
                    instance.createdAt,
                    instance.updatedAt,
                    instance.parent);
        }
    }

    @Override
    public ExecutionInfo getExecutionInfo(String id, long executionId) {
        synchronized (store) {
            var execution = instance("getExecutionInfo", id).executions.get(executionId);
            if (execution == null) {
                throw ReferenceStore.refused("getExecutionInfo", "execution " + executionId + " not found");
            }
            return new ExecutionInfo(
                    executionId,
                    execution.status,
                    execution.output,
                    execution.startedAt,
                    execution.completedAt,
                    execution.events.size());
        }
    }

    @Override
    public SystemMetrics getSystemMetrics() {
        synchronized (store) {
            var all = model.instances.values();
            return new SystemMetrics(
                    all.size(),
                    all.stream().mapToLong(each -> each.executions.size()).sum(),
                    count("Running"),
                    count("Completed"),
                    count("Failed"),
                    all.stream().mapToLong(ReferenceAdmin::events).sum());
        }
    }

    private long count(String status) {
        return model.instances.values().stream()
                .filter(each -> each.execution().status.equals(status))
                .count();
    }

    private static long events(Instance instance) {
        return instance.executions.values().stream()
                .mapToLong(each -> each.events.size())
                .sum();
    }

    @Override
    public QueueDepths getQueueDepths() {
        synchronized (store) {
            long now = clock.millis();
            long messages = model.messages.stream()
                    .filter(message -> message.token == null || !isHeld(message.item.routedInstance(), message.token))
                    .count();
            long activities = model.activities.stream()
                    .filter(each -> each.lockedUntil <= now)
                    .count();
            return new QueueDepths(messages, activities, 0);
        }
    }

    private boolean isHeld(String id, String token) {
        var lock = model.locks.get(id);
        return lock != null && lock.token.equals(token) && lock.until > clock.millis();
    }

    @Override
    public List<String> listChildren(String id) {
        return ids(instance -> id.equals(instance.parent));
    }

    @Override
    public Optional<String> getParentId(String id) {
        synchronized (store) {
            return Optional.ofNullable(instance("getParentId", id).parent);
        }
    }

    @Override
    public DeleteInstanceResult deleteInstancesAtomic(List<String> ids, boolean force) {
        synchronized (store) {
            for (var id : ids) {
                var instance = model.instances.get(id);
                if (!force && (instance == null ? isStarting(id) : isAlive(id, instance))) {
                    throw ReferenceStore.refused("deleteInstancesAtomic", "instance '" + id + "' is running");
                }
            }
            for (var id : ids) {
                for (var child : listChildren(id)) {
                    if (!ids.contains(child)) {
                        throw ReferenceStore.refused(
                                "deleteInstancesAtomic", "child '" + child + "' would be an orphan");
                    }
                }
            }
            long executions = 0;
            long events = 0;
            long messages = 0;
            for (var id : ids) {
                var instance = model.instances.remove(id);
                if (instance != null) {
                    executions += instance.executions.size();
                    events += events(instance);
                }
                int before = model.messages.size() + model.activities.size();
                model.messages.removeIf(each -> each.item.routedInstance().equals(id));
                model.activities.removeIf(each -> each.item.instance().equals(id));
                messages += before - model.messages.size() - model.activities.size();
                model.locks.remove(id);
                model.started.remove(id);
                model.sessions.keySet().removeIf(key -> key.instance().equals(id));
            }
            return new DeleteInstanceResult(ids.size(), executions, events, messages);
        }
    }

    @Override
    public Optional<DeleteInstanceResult> deleteInstancesIf(List<String> ids, Predicate<InstanceSummary> condition) {
        synchronized (store) {
            var found = ids.stream()
                    .distinct()
                    .flatMap(id -> store.instances().get(id).stream())
                    .toList();
            var there = found.stream().map(InstanceSummary::instanceId).toList();
            var isWhole = there.stream().allMatch(id -> there.containsAll(listChildren(id)));
            return isWhole && found.stream().allMatch(condition)
                    ? Optional.of(deleteInstancesAtomic(there, true))
                    : Optional.empty();
        }
    }

    /**
     * Between two executions too: what starts the next is on its way, and to delete it is fault 38 of the wire's
     * description.
     */
    private boolean isAlive(String id, Instance instance) {
        var status = instance.execution().status;
        return status.equals("Running")
                || (status.equals("ContinuedAsNew")
                        && model.messages.stream()
                                .anyMatch(message -> message.item instanceof WorkItem.ContinueAsNew next
                                        && next.instance().equals(id)));
    }

    private boolean isStarting(String id) {
        return model.messages.stream()
                .anyMatch(message -> message.item instanceof WorkItem.StartOrchestration start
                        && start.instance().equals(id));
    }

    /** Those that match, in whatever order, at most as many as the filter says. */
    private List<String> selected(InstanceFilter filter, Predicate<Instance> which) {
        var named = filter.instanceIds();
        var before = filter.completedBeforeMillis();
        return model.instances.entrySet().stream()
                .filter(each -> named == null || named.contains(each.getKey()))
                .filter(each -> which.test(each.getValue()))
                .filter(each ->
                        before == null || isCompletedBefore(each.getValue().execution(), before))
                .limit(filter.effectiveLimit())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean isCompletedBefore(Execution execution, long millis) {
        return execution.completedAt != null && execution.completedAt < millis;
    }

    @Override
    public DeleteInstanceResult deleteInstanceBulk(InstanceFilter filter) {
        synchronized (store) {
            var doomed = new ArrayList<String>();
            selected(filter, each -> each.parent == null && TERMINAL.contains(each.execution().status)).stream()
                    .filter(root -> !isAlive(root, instance("deleteInstanceBulk", root)))
                    .forEach(root -> doomed.addAll(getInstanceTree(root).allIds()));
            return deleteInstancesAtomic(doomed, true);
        }
    }

    @Override
    public PruneResult pruneExecutions(String id, PruneOptions options) {
        synchronized (store) {
            var instance = instance("pruneExecutions", id);
            int keep = Math.max(1, Objects.requireNonNullElse(options.keepLast(), 1));
            var before = options.completedBeforeMillis();
            var ids = new ArrayList<>(instance.executions.descendingKeySet());
            long executions = 0;
            long events = 0;
            for (int i = keep; i < ids.size(); i++) {
                var execution = Objects.requireNonNull(instance.executions.get(ids.get(i)));
                boolean old = before == null || isCompletedBefore(execution, before);
                if (ids.get(i) != instance.current && !execution.status.equals("Running") && old) {
                    instance.executions.remove(ids.get(i));
                    executions++;
                    events += execution.events.size();
                }
            }
            return new PruneResult(1, executions, events);
        }
    }

    @Override
    public PruneResult pruneExecutionsBulk(InstanceFilter filter, PruneOptions options) {
        synchronized (store) {
            long instances = 0;
            long executions = 0;
            long events = 0;
            for (var id : selected(filter, each -> true)) {
                var one = pruneExecutions(id, options);
                instances += one.instancesProcessed();
                executions += one.executionsDeleted();
                events += one.eventsDeleted();
            }
            return new PruneResult(instances, executions, events);
        }
    }
}
