package io.sluice.provider.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Reads a container through the SDK: all ranges of its change feed, latest versions. */
final class ContainerChanges implements QueueChanges {
    private static final String DUE = "SELECT * FROM c WHERE c.type IN ('orch_queue', 'worker_queue')"
            + " AND ((c.visibleAt > @visibleAfter AND c.visibleAt <= @until)"
            + " OR (c.lockedUntil > @lockedAfter AND c.lockedUntil <= @until))";

    private final CosmosAsyncContainer container;
    private CosmosChangeFeedRequestOptions position =
            CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange());

    ContainerChanges(CosmosAsyncContainer container) {
        this.container = container;
    }

    @Override
    public List<JsonNode> next() {
        List<JsonNode> changes = new ArrayList<>();
        for (FeedResponse<JsonNode> page : container
                .queryChangeFeed(position, JsonNode.class)
                .byPage()
                .collectList()
                .block()) {
            changes.addAll(page.getResults());
            position = CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(page.getContinuationToken());
        }
        return changes;
    }

    @Override
    public List<JsonNode> dueUntil(long untilMillis, long visibleAfterMillis, long lockedAfterMillis) {
        SqlQuerySpec query = new SqlQuerySpec(
                DUE,
                new SqlParameter("@until", untilMillis),
                new SqlParameter("@visibleAfter", visibleAfterMillis),
                new SqlParameter("@lockedAfter", lockedAfterMillis));
        return container
                .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                .collectList()
                .block();
    }
}
