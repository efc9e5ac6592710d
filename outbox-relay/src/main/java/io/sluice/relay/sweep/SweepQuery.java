package io.sluice.relay.sweep;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.relay.feed.BoundedAnswer;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.ScanGroup;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the store for the sources of undelivered intents of a key range, page by page. Thread-safe. */
final class SweepQuery {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int PAGE_SIZE = 1_000;
    private static final String UNDELIVERED = "SELECT c.instanceId, c.attemptCount FROM c"
            + " WHERE c.type = 'outbox_intent' AND c.status IN ('pending', 'queued')";
    private static final String DUE = " AND (NOT IS_NUMBER(c.nextAttemptAt) OR c.nextAttemptAt <= @now)"
            + " AND (NOT IS_NUMBER(c.deliverAfter) OR c.deliverAfter <= @now)";

    private final CosmosAsyncContainer container;

    /** Takes pages over. */
    @FunctionalInterface
    interface Reader {
        /**
         * Takes a page over.
         *
         * @param rows of intents
         * @param next continues behind them; null at the end
         * @return whether the next page is wanted now
         */
        boolean read(List<JsonNode> rows, @Nullable String next);
    }

    /**
     * What is asked for.
     *
     * @param dueAtMillis only intents that are due by then, without those that wait for their next attempt; null for
     *     all
     */
    record Wanted(KeyRange range, @Nullable Long dueAtMillis) {
        private SqlQuerySpec query() {
            return dueAtMillis == null
                    ? new SqlQuerySpec(UNDELIVERED)
                    : new SqlQuerySpec(UNDELIVERED + DUE, new SqlParameter("@now", dueAtMillis));
        }
    }

    SweepQuery(CosmosAsyncContainer container) {
        this.container = container;
    }

    /**
     * Reads from a continuation to the end of the range, or until no more is wanted. The SDK asks for a page ahead, so
     * pages are read by one query as long as they are wanted at once.
     *
     * @param continuation of the same wanted rows; null for the beginning
     * @throws RuntimeException when the store can't be read; pages that were handed on need not be read again
     */
    void pages(Wanted wanted, @Nullable String continuation, Reader reader) {
        var rows = container.queryItems(wanted.query(), ScanGroup.options(wanted.range()), JsonNode.class);
        var pages = continuation == null ? rows.byPage(PAGE_SIZE) : rows.byPage(continuation, PAGE_SIZE);
        var asked = "for the undelivered intents of range " + wanted.range().name();
        try (var stream = BoundedAnswer.each(pages, TIMEOUT, asked).toStream(1)) {
            var iterator = stream.iterator();
            boolean isWanted = true;
            while (isWanted && iterator.hasNext()) {
                isWanted = read(iterator.next(), reader);
            }
            if (isWanted) {
                // The service may end behind a page that said that there is more.
                reader.read(List.of(), null);
            }
        }
    }

    private static boolean read(FeedResponse<JsonNode> page, Reader reader) {
        var next = page.getContinuationToken();
        boolean isMoreWanted = reader.read(page.getResults(), next);
        return isMoreWanted && next != null;
    }
}
