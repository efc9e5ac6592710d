package io.sluice.relay.dispatch;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.relay.feed.BoundedAnswer;
import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.ScanGroup;
import java.time.Duration;
import java.util.List;

/**
 * Asks the store for work of a key range that is due within a window, page by page: ids, times, and the beginning of
 * the work item, which shows its kind. Thread-safe.
 */
final class LookaheadQuery {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int PAGE_SIZE = 1_000;

    private static final String FIELDS = " c.id, c.instanceId, c.type, LEFT(c.workItem, "
            + AnnouncedDocument.KIND_CHARACTERS + ") AS workItem, LENGTH(c.workItem) AS "
            + AnnouncedDocument.WORK_ITEM_LENGTH
            + ", c.visibleAt, c.enqueuedAt, c.lockedUntil, c.attemptCount, c.executionId, c.activityId, c.sessionId,"
            + " c.tag, c._etag FROM c WHERE ";
    private static final String DUE = " AND c.visibleAt < @until"
            + " AND (NOT IS_DEFINED(c.lockedUntil) OR IS_NULL(c.lockedUntil) OR c.lockedUntil < @until)";
    private static final String WORK = "SELECT" + FIELDS + "c.type IN ('orch_queue', 'worker_queue')" + DUE;
    private static final String OLDEST =
            "SELECT TOP " + PAGE_SIZE + FIELDS + "c.type = @type" + DUE + " ORDER BY c.enqueuedAt";
    private static final String SINCE = " AND (c.visibleAt >= @visibleFrom OR c.lockedUntil >= @lockedFrom)";

    private final CosmosAsyncContainer container;

    /**
     * What to query for.
     *
     * @param visibleFrom what became visible before was announced
     * @param lockedFrom locks that expired before were seen to have done so
     * @param until what is due from this time on is left to the next query
     */
    record Window(long visibleFrom, long lockedFrom, long until) {
        /** Also everything that is overdue. */
        static Window first(long until) {
            return new Window(Long.MIN_VALUE, Long.MIN_VALUE, until);
        }

        /** Whether it is for all that is overdue as well. */
        boolean isFirst() {
            return visibleFrom == Long.MIN_VALUE;
        }

        private SqlQuerySpec query() {
            var end = new SqlParameter("@until", until);
            return isFirst()
                    ? new SqlQuerySpec(WORK, List.of(end))
                    : new SqlQuerySpec(
                            WORK + SINCE,
                            List.of(
                                    end,
                                    new SqlParameter("@visibleFrom", visibleFrom),
                                    new SqlParameter("@lockedFrom", lockedFrom)));
        }
    }

    /** Gets the rows of one page. */
    @FunctionalInterface
    interface Reader {
        void read(List<JsonNode> rows) throws InterruptedException;
    }

    LookaheadQuery(CosmosAsyncContainer container) {
        this.container = container;
    }

    /**
     * Reads all pages.
     *
     * @throws RuntimeException when the store can't be read to the end
     */
    void pages(KeyRange range, Window window, Reader reader) throws InterruptedException {
        read(range, window.query(), reader);
    }

    /**
     * Reads the thousand oldest messages and activities that have been due for a while.
     *
     * @param before when they were due
     * @throws RuntimeException when the store can't be read
     */
    void overdue(KeyRange range, long before, Reader reader) throws InterruptedException {
        for (String type : List.of("orch_queue", "worker_queue")) {
            var parameters = List.of(new SqlParameter("@type", type), new SqlParameter("@until", before));
            read(range, new SqlQuerySpec(OLDEST, parameters), reader);
        }
    }

    private void read(KeyRange range, SqlQuerySpec query, Reader reader) throws InterruptedException {
        var pages = container
                .queryItems(query, ScanGroup.options(range), JsonNode.class)
                .byPage(PAGE_SIZE);
        var asked = "for the due work of range " + range.name();
        try (var stream = BoundedAnswer.each(pages, TIMEOUT, asked).toStream(1)) {
            var iterator = stream.iterator();
            while (iterator.hasNext()) {
                reader.read(iterator.next().getResults());
            }
        }
    }
}
