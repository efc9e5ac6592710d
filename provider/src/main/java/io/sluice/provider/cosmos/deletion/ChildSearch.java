package io.sluice.provider.cosmos.deletion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.search.QueryBytes;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.request.SqlQuery;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the children of members. A child that has had a turn names its parent in its head. A child that has had none is
 * known from its start message alone; such messages lie in any partition, so they are searched only where a member's
 * history shows a sub-orchestration that has not ended.
 */
final class ChildSearch {
    private static final String STARTED = "SELECT c.instanceId FROM c WHERE c.type = 'instance'";
    private static final String STARTING = "SELECT c.instanceId, c.workItem FROM c WHERE c.type = 'orch_queue'"
            + " AND STARTSWITH(c.workItem, '{\"StartOrchestration\"') AND CONTAINS(c.workItem, @parent)";

    private final ContainerRequests requests;

    ChildSearch(ContainerRequests requests) {
        this.requests = requests;
    }

    /** Children that have had a turn and are not members. */
    List<String> started(Call call, Collection<String> members) {
        Set<String> outside = new TreeSet<>();
        for (List<String> some : QueryBytes.portions(List.copyOf(members))) {
            for (ObjectNode row :
                    requests.queryAllRanges(call, SqlQuery.of(STARTED).andOneOf("c.parentInstanceId", some))) {
                outside.add(row.path("instanceId").asText());
            }
        }
        outside.removeAll(new HashSet<>(members));
        return List.copyOf(outside);
    }

    /** Children of this member that wait for their first turn and are not members. */
    List<String> starting(Call call, String member, Set<String> members) {
        // The parent's name, quoted and escaped as it is inside the JSON string of the work item.
        String parent = "\"parent_instance\":" + DocumentJson.quoted(member);
        Set<String> outside = new TreeSet<>();
        for (ObjectNode row :
                requests.queryAllRanges(call, SqlQuery.of(STARTING).with("@parent", parent))) {
            String instance = row.path("instanceId").asText();
            if (!members.contains(instance)
                    && ChildIntents.isStartOfChild(
                            Set.of(member), row.path("workItem").asText())) {
                outside.add(instance);
            }
        }
        return List.copyOf(outside);
    }
}
