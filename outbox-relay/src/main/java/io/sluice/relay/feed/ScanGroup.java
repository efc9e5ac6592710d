package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * The SDK's throughput control group of queries that read much of the container, and that nobody's work waits for at
 * once: sweeps, looks ahead, counts, lists for operators. The relay gives it low priority, and request units of its own
 * where they are set; on a client without that group it changes nothing.
 */
public final class ScanGroup {
    /** How the SDK knows it. */
    public static final String NAME = "sluice-relay-scans";

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private ScanGroup() {}

    /** Options of such a query. */
    public static CosmosQueryRequestOptions options() {
        return new CosmosQueryRequestOptions().setThroughputControlGroupName(NAME);
    }

    /** The same for the rows of a key range. */
    public static CosmosQueryRequestOptions options(KeyRange range) {
        return options().setFeedRange(range.toFeedRange());
    }

    /**
     * The sum of the figures that a query gives, one for each physical partition.
     *
     * @throws RuntimeException if the store can't be read, or does not answer within 20 s
     */
    public static long sum(CosmosAsyncContainer container, SqlQuerySpec query, CosmosQueryRequestOptions options) {
        var figures = container.queryItems(query, options, JsonNode.class).collectList();
        return BoundedAnswer.of(figures, TIMEOUT, "for a count").orElseThrow().stream()
                .mapToLong(JsonNode::asLong)
                .sum();
    }
}
