package io.sluice.provider.cosmos.deletion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.document.DocumentJson;
import io.sluice.provider.cosmos.request.Call;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.request.SqlQuery;
import io.sluice.provider.history.DecodingException;
import io.sluice.provider.history.EventKind;
import io.sluice.provider.history.HistoryEvent;
import io.sluice.provider.history.HistoryJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the children of members. One that has had a turn names its parent in its head. One that has not is seen in its start message alone; messages lie
 * anywhere, so they are asked for only where a member's history shows a sub-orchestration that has not ended.
 */
final class Offspring {
    private static final String STARTED = "SELECT c.instanceId FROM c WHERE c.type = 'instance'";
    private static final String SUB_ORCHESTRATIONS = "SELECT c.executionId, c.eventData FROM c WHERE c.type = 'history'"
            + " AND CONTAINS(c.eventData, '\"type\":\"SubOrchestration')";
    private static final String STARTING = "SELECT c.instanceId, c.workItem FROM c WHERE c.type = 'orch_queue'"
            + " AND STARTSWITH(c.workItem, '{\"StartOrchestration\"') AND CONTAINS(c.workItem, @parent)";
    private static final int PARENTS_PER_QUERY = 200;

    private final ContainerRequests requests;

    Offspring(ContainerRequests requests) {
        this.requests = requests;
    }

    /** Children outside of the members that have had a turn. */
    List<String> started(Call call, Collection<String> members) {
        List<String> parents = List.copyOf(members);
        Set<String> outside = new TreeSet<>();
        for (int from = 0; from < parents.size(); from += PARENTS_PER_QUERY) {
            List<String> some =
                    new ArrayList<>(parents.subList(from, Math.min(parents.size(), from + PARENTS_PER_QUERY)));
            for (ObjectNode row :
                    requests.queryAllPartitions(call, SqlQuery.of(STARTED).andOneOf("c.parentInstanceId", some))) {
                outside.add(row.path("instanceId").asText());
            }
        }
        outside.removeAll(new HashSet<>(members));
        return List.copyOf(outside);
    }

    /** Instances outside of the members that wait for their first turn as this member's child. */
    List<String> starting(Call call, String member, Set<String> members) {
        if (!hasOpenSubOrchestration(call, member)) {
            return List.of();
        }
        // The JSON string inside of which the parent's name stands, quoted and escaped as it is there.
        String parent = "\"parent_instance\":" + DocumentJson.quoted(member);
        Set<String> outside = new TreeSet<>();
        for (ObjectNode row :
                requests.queryAllPartitions(call, SqlQuery.of(STARTING).with("@parent", parent))) {
            String instance = row.path("instanceId").asText();
            if (!members.contains(instance)
                    && Kinship.isStartOfChild(
                            Set.of(member), row.path("workItem").asText())) {
                outside.add(instance);
            }
        }
        return List.copyOf(outside);
    }

    private boolean hasOpenSubOrchestration(Call call, String member) {
        Set<String> open = new HashSet<>();
        Set<String> ended = new HashSet<>();
        for (ObjectNode row :
                requests.query(call, member, SqlQuery.of(SUB_ORCHESTRATIONS)).rows()) {
            try {
                HistoryEvent event = HistoryJson.decode(row.path("eventData").asText());
                String execution = row.path("executionId").asLong() + ":";
                if (event.kind() instanceof EventKind.SubOrchestrationScheduled) {
                    open.add(execution + event.eventId());
                } else if (event.kind() instanceof EventKind.SubOrchestrationCompleted
                        || event.kind() instanceof EventKind.SubOrchestrationFailed) {
                    ended.add(execution + event.sourceEventId());
                }
            } catch (DecodingException e) {
                // A history that can't be read must not keep its instance from being deleted; ask the messages.
                return true;
            }
        }
        open.removeAll(ended);
        return !open.isEmpty();
    }
}
