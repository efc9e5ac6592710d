package io.sluice.relay.feed;

import com.azure.cosmos.models.CosmosQueryRequestOptions;

/**
 * The SDK's throughput control group of queries that read much of the container, and that nobody's work waits for at
 * once: sweeps, looks ahead, counts, lists for operators. The relay gives it low priority, and request units of its own
 * where they are set; on a client without that group it changes nothing.
 */
public final class ScanGroup {
    /** How the SDK knows it. */
    public static final String NAME = "sluice-relay-scans";

    private ScanGroup() {}

    /** Options of such a query. */
    public static CosmosQueryRequestOptions options() {
        return new CosmosQueryRequestOptions().setThroughputControlGroupName(NAME);
    }

    /** The same for the rows of a key range. */
    public static CosmosQueryRequestOptions options(KeyRange range) {
        return options().setFeedRange(range.toFeedRange());
    }
}
