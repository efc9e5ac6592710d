package io.sluice.relay.feed;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;

/** Counts the events that wait to be published: the change feed itself does not report them. Thread-safe. */
public final class EventBacklog {
    private static final String NEWER = "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'history' AND c._ts > @newest";

    private final CosmosAsyncContainer container;

    public EventBacklog(CosmosAsyncContainer container) {
        this.container = container;
    }

    /**
     * Counts the events of a key range that were written after a second of the store's time. One query, answered by the
     * index.
     *
     * @throws RuntimeException if the store can't be read
     */
    public long newerThan(long seconds, KeyRange range) {
        var query = new SqlQuerySpec(NEWER, new SqlParameter("@newest", seconds));
        return ScanGroup.sum(container, query, ScanGroup.options(range));
    }
}
