package io.sluice.relay.delivery;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;

/** Asks the store for the sources of undelivered intents, page by page, each once. Thread-safe. */
final class SweepQuery {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int PAGE_SIZE = 1_000;
    private static final String SOURCES = "SELECT c.instanceId, c.attemptCount FROM c WHERE c.type = 'outbox_intent' "
            + "AND c.status IN ('pending', 'queued')";

    private final CosmosAsyncContainer container;

    /** Takes pages over. */
    @FunctionalInterface
    interface Reader {
        /** Whether the next page is wanted now. */
        boolean read(SweepPass.Page page) throws InterruptedException;
    }

    SweepQuery(CosmosAsyncContainer container) {
        this.container = container;
    }

    /**
     * Reads from where the pass stands to the end of its range, or until no more is wanted. The SDK asks for a page
     * ahead, so pages are read by one query as long as they are wanted at once.
     *
     * @throws RuntimeException when the store can't be read; the pass stands behind the last page that was handed on
     */
    void pages(SweepPass pass, Reader reader) throws InterruptedException {
        var options = new CosmosQueryRequestOptions().setFeedRange(pass.range().toFeedRange());
        var rows = container.queryItems(SOURCES, options, JsonNode.class);
        var continuation = pass.continuation();
        var pages = continuation == null ? rows.byPage(PAGE_SIZE) : rows.byPage(continuation, PAGE_SIZE);
        try (var stream = pages.timeout(TIMEOUT).toStream(1)) {
            var iterator = stream.iterator();
            boolean isWanted = true;
            while (isWanted) {
                SweepPass.Page read;
                if (iterator.hasNext()) {
                    FeedResponse<JsonNode> page = iterator.next();
                    read = pass.read(page.getResults(), page.getContinuationToken());
                } else {
                    read = pass.read(List.of(), null);
                }
                isWanted = reader.read(read) && pass.continuation() != null;
            }
        }
    }
}
