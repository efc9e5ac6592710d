package io.sluice.durabletask.client;

import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.durabletask.wire.Protocol;
import io.sluice.durabletask.wire.Protocol.ListInstanceIdsRequest;
import io.sluice.durabletask.wire.Protocol.ListInstanceIdsResponse;
import io.sluice.durabletask.wire.Protocol.OrchestrationStatus;
import io.sluice.durabletask.wire.Protocol.QueryInstancesRequest;
import io.sluice.durabletask.wire.Protocol.QueryInstancesResponse;
import io.sluice.durabletask.wire.Wire;
import io.sluice.provider.ExtCondition;
import io.sluice.provider.InstancePage;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceSummary;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queries instances, page by page, the oldest first. Thread-safe. */
public final class Queries {
    private static final int DEFAULT_PAGE = 100;
    private static final int MAX_PAGE = 1_000;

    /**
     * In the key of the last instance its id follows the continuation: callers of other backends find the id in the
     * key. A continuation is text in base64, and has no such sign.
     */
    private static final String BEFORE_ID = ":";

    private final ClientContext context;
    private final States states;

    /** Of one task hub. */
    public Queries(ClientContext context, States states) {
        this.context = context;
        this.states = states;
    }

    /** A page of states. A page may have fewer than were asked for although more follow. */
    public QueryInstancesResponse query(QueryInstancesRequest request) {
        Protocol.InstanceQuery query = request.getQuery();
        boolean withPayloads = query.getFetchInputsAndOutputs();
        InstancePage page = page(
                InstanceQuery.ALL
                        .withOrder(InstanceQuery.Order.OLDEST_FIRST)
                        .withExt(statuses(query.getRuntimeStatusList()))
                        .withCreated(
                                Requests.timeOrNull(
                                        "createdTimeFrom", query.hasCreatedTimeFrom(), query.getCreatedTimeFrom()),
                                Requests.timeOrNull(
                                        "createdTimeTo", query.hasCreatedTimeTo(), query.getCreatedTimeTo()))
                        .withIdPrefix(textOrNull(
                                query.hasInstanceIdPrefix(),
                                query.getInstanceIdPrefix().getValue()))
                        .withTexts(true),
                query.getMaxInstanceCount(),
                "continuationToken",
                textOrNull(
                        query.hasContinuationToken(),
                        query.getContinuationToken().getValue()));
        QueryInstancesResponse.Builder response = QueryInstancesResponse.newBuilder();
        page.instances().forEach(instance -> response.addOrchestrationState(states.state(instance, withPayloads)));
        if (page.continuation() != null) {
            response.setContinuationToken(Wire.text(page.continuation()));
        }
        return response.build();
    }

    /** A page of the ids of instances that have ended. */
    public ListInstanceIdsResponse list(ListInstanceIdsRequest request) {
        List<ExtCondition> conditions = new ArrayList<>(
                statuses(request.getRuntimeStatusCount() == 0 ? States.ENDED : request.getRuntimeStatusList()));
        if (request.hasCompletedTimeFrom() || request.hasCompletedTimeTo()) {
            conditions.add(OrchestrationStates.completed(
                    Requests.timeOrNull(
                            "completedTimeFrom", request.hasCompletedTimeFrom(), request.getCompletedTimeFrom()),
                    Requests.timeOrNull(
                            "completedTimeTo", request.hasCompletedTimeTo(), request.getCompletedTimeTo())));
        }
        InstancePage page = page(
                InstanceQuery.ALL.withOrder(InstanceQuery.Order.OLDEST_FIRST).withExt(conditions),
                request.getPageSize(),
                "lastInstanceKey",
                textOrNull(
                        request.hasLastInstanceKey(),
                        request.getLastInstanceKey().getValue().split(BEFORE_ID, 2)[0]));
        ListInstanceIdsResponse.Builder response = ListInstanceIdsResponse.newBuilder();
        page.instances().stream().map(InstanceSummary::instanceId).forEach(response::addInstanceIds);
        if (page.continuation() != null) {
            response.setLastInstanceKey(Wire.text(page.continuation() + BEFORE_ID + last(page)));
        }
        return response.build();
    }

    private static String last(InstancePage page) {
        List<InstanceSummary> instances = page.instances();
        return instances.isEmpty() ? "" : instances.get(instances.size() - 1).instanceId();
    }

    private InstancePage page(InstanceQuery query, int size, String field, @Nullable String continuation) {
        try {
            return context.queries().query(query, size > 0 ? Math.min(size, MAX_PAGE) : DEFAULT_PAGE, continuation);
        } catch (IllegalArgumentException e) {
            throw Requests.invalid(field + ": " + e.getMessage());
        }
    }

    /** Instances in one of these states; any when none is named. */
    static List<ExtCondition> statuses(Collection<OrchestrationStatus> statuses) {
        return statuses.isEmpty() ? List.of() : List.of(OrchestrationStates.withStatus(statuses));
    }

    private static @Nullable String textOrNull(boolean isPresent, String text) {
        return isPresent && !text.isEmpty() ? text : null;
    }
}
