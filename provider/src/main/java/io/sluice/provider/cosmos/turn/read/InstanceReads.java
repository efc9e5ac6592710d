package io.sluice.provider.cosmos.turn.read;

import io.sluice.provider.InstanceStats;
import io.sluice.provider.ProviderException;
import io.sluice.provider.cosmos.deletion.CommittedDeletions;
import io.sluice.provider.cosmos.deletion.DeletionState;
import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.document.DocumentIds;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.request.Call;
import io.sluice.provider.work.WorkItem;
import io.sluice.provider.work.WorkItemJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads of an instance that lock nothing: its head, histories, key values and figures. Thread-safe. */
public final class InstanceReads {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final PartitionReader partitions;
    private final Histories histories;
    private final Deletions deletions;

    InstanceReads(PartitionReader partitions, Histories histories, Deletions deletions) {
        this.partitions = partitions;
        this.histories = histories;
        this.deletions = deletions;
    }

    /** See {@link io.sluice.provider.Provider#read}. */
    public List<HistoryEvent> history(String instanceId) {
        Call call = checkedCall("read", instanceId);
        long execution = head(call, instanceId)
                .map(head -> head.document().currentExecutionId())
                .orElseGet(() -> histories.latestExecution(call, instanceId));
        return histories.readStrictly(call, instanceId, execution);
    }

    /** See {@link io.sluice.provider.Provider#readWithExecution}. */
    public List<HistoryEvent> history(String instanceId, long executionId) {
        return histories.readStrictly(checkedCall("readWithExecution", instanceId), instanceId, executionId);
    }

    /** See {@link io.sluice.provider.InstanceQueries#events}. */
    public List<HistoryEvent> events(String instanceId, long executionId, Collection<Long> eventIds) {
        return histories.readStrictly(checkedCall("readEvents", instanceId), instanceId, executionId, eventIds);
    }

    /** See {@link io.sluice.provider.InstanceQueries#waitingStart}. */
    public Optional<WorkItem.StartOrchestration> waitingStart(String instanceId) {
        return partitions.starts(checkedCall("readWaitingStart", instanceId), instanceId).stream()
                .filter(Messages::isFirst)
                .findFirst()
                .map(InstanceReads::decodedStart);
    }

    private static WorkItem.StartOrchestration decodedStart(QueueDocument message) {
        try {
            return (WorkItem.StartOrchestration) WorkItemJson.decode(message.workItem());
        } catch (DecodingException e) {
            throw ProviderException.permanent(
                    "readWaitingStart",
                    "the start of instance '" + message.instanceId() + "' can't be decoded: " + e.getMessage(),
                    e);
        }
    }

    /** The head of an instance. */
    public Optional<InstanceDocument> instance(String operation, String instanceId) {
        return head(checkedCall(operation, instanceId), instanceId).map(Stored::document);
    }

    /** The same as a query shows it: of a committed deletion nothing is shown, and nothing carried out. */
    public Optional<InstanceDocument> shown(String operation, String instanceId) {
        Call call = checkedCall(operation, instanceId);
        CommittedDeletions committed = deletions.committed(call);
        return partitions.instance(call, instanceId).map(Stored::document).filter(head -> !committed.checkGone(head));
    }

    /** The head, unless the instance belongs to a committed deletion, which is carried out first. */
    private Optional<Stored<InstanceDocument>> head(Call call, String instanceId) {
        Optional<Stored<InstanceDocument>> head = partitions.instance(call, instanceId);
        if (head.isEmpty()) {
            return head;
        }
        DeletionState deletion = deletions.help(call, head.get().document());
        return deletion == DeletionState.REMOVED ? Optional.empty() : head;
    }

    /** One key of an instance, as a client sees it; one request, whatever other keys there are. */
    public Optional<String> keyValue(String operation, String instanceId, String key) {
        KeyValues values = partitions.keyValue(checkedCall(operation, instanceId), instanceId, key);
        return Optional.ofNullable(values.merged().get(key));
    }

    /** Both layers of an instance's key values. */
    public KeyValues keyValues(String operation, String instanceId) {
        return partitions.keyValues(checkedCall(operation, instanceId), instanceId);
    }

    /** See {@link io.sluice.provider.Provider#getInstanceStats}. */
    public Optional<InstanceStats> stats(String instanceId) {
        Call call = checkedCall("getInstanceStats", instanceId);
        return head(call, instanceId).flatMap(head -> {
            long execution = head.document().currentExecutionId();
            Map<String, String> values = partitions.keyValues(call, instanceId).merged();
            long valueBytes = values.values().stream()
                    .mapToLong(value -> value.getBytes(StandardCharsets.UTF_8).length)
                    .sum();
            InstanceStats stats = histories.stats(call, instanceId, execution, values.size(), valueBytes);
            // What a first fetch created is no instance yet.
            return head.document().isSurelyAcked() || stats.historyEventCount() > 0
                    ? Optional.of(stats)
                    : Optional.empty();
        });
    }

    private static Call checkedCall(String operation, String instanceId) {
        DocumentIds.checkPartition(operation, instanceId);
        return Call.onInstance(operation, instanceId, PATIENCE);
    }
}
