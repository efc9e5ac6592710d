package io.sluice.provider.cosmos.deletion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.DeleteInstanceResult;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The counts of a partition's documents.
 *
 * @param executions executions that have events
 * @param hasStart whether a message waits that starts the instance
 * @param mayStartChildren whether the history shows a sub-orchestration that has not ended
 */
record PartitionContents(
        Set<Long> executions,
        long events,
        long queued,
        boolean hasStart,
        boolean hasIntents,
        boolean mayStartChildren,
        boolean isEmpty) {
    private static final String ALL = "SELECT c.type, c.executionId,"
            + " STARTSWITH(c.workItem, '{\"StartOrchestration\"') AS start,"
            + " CONTAINS(c.eventData, '\"type\":\"SubOrchestration') ? c.eventData : undefined AS subOrchestration"
            + " FROM c WHERE NOT (c.type IN ('instance', 'receipt', 'purge', 'deletion'))";

    PartitionContents {
        executions = Set.copyOf(executions);
    }

    static PartitionContents of(ContainerRequests requests, Call call, String instanceId) {
        List<ObjectNode> rows =
                requests.query(call, instanceId, SqlQuery.of(ALL)).rows();
        Set<Long> executions = new HashSet<>();
        OpenSubOrchestrations open = new OpenSubOrchestrations();
        long events = 0;
        long queued = 0;
        boolean start = false;
        boolean intents = false;
        for (ObjectNode row : rows) {
            switch (row.path("type").asText()) {
                case "history" -> {
                    long execution = row.path("executionId").asLong();
                    events++;
                    executions.add(execution);
                    if (row.has("subOrchestration")) {
                        open.add(execution, row.path("subOrchestration").asText());
                    }
                }
                case "orch_queue", "worker_queue" -> {
                    queued++;
                    start |= row.path("start").asBoolean();
                }
                case "outbox_intent" -> intents = true;
                default -> {
                    // Key values and sessions are not counted in the result.
                }
            }
        }
        return new PartitionContents(executions, events, queued, start, intents, open.any(), rows.isEmpty());
    }

    /** Whether the instance has been acked. */
    boolean isAcked(InstanceDocument head) {
        return head.isSurelyAcked() || events > 0;
    }

    /** Whether the instance was started, and no turn of it was acked yet. */
    boolean isStartedOnly(InstanceDocument head) {
        return !isAcked(head) && (hasStart || !head.orchestrationName().isEmpty());
    }

    /** The counts of its removal; a head that was never acked counts for no instance. */
    DeleteInstanceResult removing(InstanceDocument head) {
        Set<Long> all = new HashSet<>(executions);
        if (isAcked(head)) {
            all.add(head.currentExecutionId());
        }
        return new DeleteInstanceResult(isAcked(head) ? 1 : 0, all.size(), events, queued);
    }
}
