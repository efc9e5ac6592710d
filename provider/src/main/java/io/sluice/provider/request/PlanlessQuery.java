package io.sluice.provider.request;

import com.azure.cosmos.implementation.ImplementationBridgeHelpers.CosmosQueryRequestOptionsHelper;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;

/**
 * Options of a query that is sent to one key range as it stands. Without a plan the SDK merges nothing, so TOP and
 * ORDER BY hold within the range only. The switch is one of the SDK's internals: what it offers in public asks for a
 * plan before every query that is not scoped to one partition key.
 */
final class PlanlessQuery {
    private PlanlessQuery() {}

    static CosmosQueryRequestOptions options(String range) {
        CosmosQueryRequestOptions options = new CosmosQueryRequestOptions().setFeedRange(FeedRange.fromString(range));
        return CosmosQueryRequestOptionsHelper.getCosmosQueryRequestOptionsAccessor()
                .disallowQueryPlanRetrieval(options);
    }
}
