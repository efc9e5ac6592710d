package io.sluice.provider.cosmos.turn.read;

import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.SqlQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Messages that may be taken: the queries that show them by ids, times, and the beginning of the work item, which shows
 * its kind; and as many of them as a turn takes.
 */
public final class ReadyMessages {
    /** On the service {@code null <= number} is undefined, so a free message must be asked for by IS_NULL as well. */
    static final String UNLOCKED = "(NOT IS_DEFINED(c.lockedUntil) OR IS_NULL(c.lockedUntil) OR c.lockedUntil <= @now)";

    /** The length of the longest beginning that shows a start. */
    private static final int KIND_CHARACTERS = 21;

    private static final String LENGTH = "workItemLength";
    private static final String FIELDS = " c.id, c.instanceId, LEFT(c.workItem, " + KIND_CHARACTERS + ") AS workItem,"
            + " LENGTH(c.workItem) AS " + LENGTH + ", c.visibleAt, c.enqueuedAt, c.attemptCount";
    private static final String READY = " FROM c WHERE c.type = 'orch_queue' AND c.visibleAt <= @now AND " + UNLOCKED;
    /** The query for all of them, whole; lacks {@code @now}. */
    static final String WHOLE =
            "SELECT c.id, c.instanceId, c.workItem, c.visibleAt, c.enqueuedAt, c.attemptCount, c.traceparent, c.tracestate"
                    + READY;
    /** Characters of the messages that a turn takes, unless it is one message: as much as one page of a query holds. */
    static final long MOST_CHARACTERS_OF_TURN = 4L * 1024 * 1024;

    /**
     * Messages that a turn takes. Each costs its tag with the fetch and with every renewal: with all of a long queue a
     * lock could not be kept.
     */
    public static final int MOST_OF_TURN = 1_000;

    /** Rows of a partition that are read for the messages among them, before the oldest are asked for. */
    static final int MOST_ROWS_READ = 2 * MOST_OF_TURN;

    private ReadyMessages() {}

    /** The condition that a document is such a message at that moment, for a batch to check. */
    public static String condition(long nowMillis) {
        return READY.strip().replace("@now", Long.toString(nowMillis));
    }

    /**
     * All rows that are ready; lacks {@code @now}. With every field that may be malformed: a message that can't be
     * read is no part of a turn.
     */
    static SqlQuery all() {
        return SqlQuery.of("SELECT" + FIELDS + ", c.executionId, c.activityId, c.sessionId, c.tag" + READY);
    }

    /** The oldest rows that are ready, one more than a turn takes; lacks {@code @now}. */
    static SqlQuery oldestOfTurn() {
        return query(MOST_OF_TURN + 1, "");
    }

    /**
     * Those of {@link #oldestOfTurn} that stand before all that the query left out. It does not know the order within
     * a millisecond, so the last one's is left out where it was cut.
     *
     * @param found how many rows the query returned, those included that can't be read
     * @return nothing when that can't be told
     */
    static List<QueueRows.Row> surelyOldest(List<QueueRows.Row> rows, int found) {
        if (found <= MOST_OF_TURN || rows.isEmpty()) {
            return rows;
        }
        long last = rows.get(rows.size() - 1).document().enqueuedAt();
        return rows.stream().filter(row -> row.document().enqueuedAt() < last).toList();
    }

    /** The rows that are ready and begin an execution; lacks {@code @now}. */
    static SqlQuery starts() {
        return SqlQuery.of("SELECT" + FIELDS + READY + " AND " + Messages.IS_START);
    }

    /** The oldest so many rows that are ready and satisfy a further condition; lacks {@code @now}. */
    public static SqlQuery query(int most, String condition) {
        return SqlQuery.of("SELECT TOP " + most + FIELDS + READY + condition + " ORDER BY c.enqueuedAt");
    }

    /** Characters of the whole work item of such a row. */
    public static long characters(QueueRows.Row row) {
        return row.json().path(LENGTH).asLong();
    }

    /** Whether there may be messages that were left to the next turn when these were read for one. */
    public static boolean mayBeCut(List<QueueDocument> messages) {
        if (messages.size() >= BatchWrite.MAX_OPERATIONS - 1) {
            return true;
        }
        // No document has more than half of what a turn takes.
        return messages.stream()
                        .mapToLong(message -> message.workItem().length())
                        .sum()
                >= MOST_CHARACTERS_OF_TURN / 2;
    }

    /** Ids of the messages among these that the next turn takes: the start wherever it stands, and the oldest. */
    static List<String> ofTurn(List<QueueRows.Row> ready) {
        List<QueueRows.Row> rows = new ArrayList<>(ready);
        rows.sort(Comparator.comparing(QueueRows.Row::document, QueueDocument.FIFO));
        rows.stream()
                .filter(row -> Messages.isStart(row.document()))
                .findFirst()
                .ifPresent(start -> {
                    rows.remove(start);
                    rows.add(0, start);
                });
        List<String> ids = new ArrayList<>();
        long characters = 0;
        for (QueueRows.Row row : rows) {
            characters += characters(row);
            if (!ids.isEmpty() && (characters > MOST_CHARACTERS_OF_TURN || ids.size() == MOST_OF_TURN)) {
                break;
            }
            ids.add(row.document().id());
        }
        return ids;
    }
}
