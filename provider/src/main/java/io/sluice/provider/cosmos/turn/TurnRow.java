package io.sluice.provider.cosmos.turn;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.SqlQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A message that is ready, as a search shows it: ids, times, and the beginning of the work item, which shows its kind.
 *
 * @param characters of the whole work item
 */
record TurnRow(QueueDocument message, long characters) {
    /** The length of the longest of {@link Messages#STARTS}. */
    private static final int KIND_CHARACTERS = 21;

    private static final String LENGTH = "workItemLength";
    private static final String FIELDS = " c.id, c.instanceId, LEFT(c.workItem, " + KIND_CHARACTERS + ") AS workItem,"
            + " LENGTH(c.workItem) AS " + LENGTH + ", c.visibleAt, c.enqueuedAt, c.attemptCount";

    /** What a batch returns should stay far below what a request may have, in characters of up to four bytes. */
    private static final long MOST_CHARACTERS = 256 * 1024;

    /** Characters of the messages that a turn takes, unless it is one message: as much as one page of a query holds. */
    static final long MOST_OF_TURN = 4L * 1024 * 1024;

    private static final int MOST_MESSAGES_OF_TURN = 1_000;

    /**
     * All rows that are ready; lacks {@code @now}. With every field that may be malformed: a message that can't be
     * read is no part of a turn.
     */
    static SqlQuery all() {
        return SqlQuery.of(
                "SELECT" + FIELDS + ", c.executionId, c.activityId, c.sessionId, c.tag" + TurnCandidate.READY);
    }

    /** Whether there may be messages that were left to the next turn when these were read for one. */
    static boolean mayBeCut(List<QueueDocument> messages) {
        if (messages.size() >= BatchWrite.MAX_OPERATIONS - 1) {
            return true;
        }
        // No document has more than half of what a turn takes.
        return messages.stream()
                        .mapToLong(message -> message.workItem().length())
                        .sum()
                >= MOST_OF_TURN / 2;
    }

    /** Ids of the messages among these that the next turn takes: the start wherever it stands, and the oldest. */
    static List<String> ofTurn(List<TurnRow> ready) {
        List<TurnRow> rows = new ArrayList<>(ready);
        rows.sort(Comparator.comparing(TurnRow::message, QueueDocument.FIFO));
        rows.stream().filter(TurnRow::isStart).findFirst().ifPresent(start -> {
            rows.remove(start);
            rows.add(0, start);
        });
        List<String> ids = new ArrayList<>();
        long characters = 0;
        for (TurnRow row : rows) {
            characters += row.characters();
            if (!ids.isEmpty() && (characters > MOST_OF_TURN || ids.size() == MOST_MESSAGES_OF_TURN)) {
                break;
            }
            ids.add(row.message().id());
        }
        return ids;
    }

    /** The oldest so many rows that are ready and satisfy a further condition; lacks {@code @now}. */
    static SqlQuery query(int most, String condition) {
        return SqlQuery.of("SELECT TOP " + most + FIELDS + TurnCandidate.READY + condition + " ORDER BY c.enqueuedAt");
    }

    static List<TurnRow> of(List<QueueRows.Row> rows) {
        return rows.stream()
                .map(row -> new TurnRow(row.document(), row.json().path(LENGTH).asLong()))
                .toList();
    }

    String instanceId() {
        return message.instanceId();
    }

    boolean isStart() {
        return Messages.isStart(message);
    }

    static Map<String, List<TurnRow>> byInstance(Collection<TurnRow> rows) {
        Map<String, List<TurnRow>> instances = new LinkedHashMap<>();
        rows.forEach(row -> instances
                .computeIfAbsent(row.instanceId(), id -> new ArrayList<>())
                .add(row));
        return instances;
    }

    /** A message as it was announced. */
    static TurnRow announced(String instanceId, AnnouncedDocument document) {
        return new TurnRow(document.toQueueDocument(WorkQueue.TURNS, instanceId).document(), document.workItemLength());
    }

    /** The same as an announcement would have it. */
    AnnouncedDocument toAnnounced() {
        return AnnouncedDocument.of(message, AnnouncedDocument.ANY_VERSION, characters);
    }

    /** The instance of these rows, which were announced and are all it has. */
    static TurnCandidate announcedCandidate(List<TurnRow> rows) {
        return new TurnCandidate(
                rows.get(0).instanceId(), messages(rows), TurnCandidate.Content.ANNOUNCED, true, false);
    }

    /** Whether the batch that locks the messages can return them. */
    static boolean areSmall(List<TurnRow> rows) {
        long characters = rows.stream().mapToLong(TurnRow::characters).sum();
        return characters <= MOST_CHARACTERS && rows.size() <= TurnLocker.MOST_RETURNED;
    }

    private static List<QueueDocument> messages(List<TurnRow> rows) {
        return rows.stream().map(TurnRow::message).sorted(QueueDocument.FIFO).toList();
    }

    /** The instance of these rows, which a search found. */
    static TurnCandidate candidate(TurnFound found) {
        return new TurnCandidate(
                found.instanceId(),
                messages(found.rows()),
                areSmall(found.rows()) ? TurnCandidate.Content.CUT : TurnCandidate.Content.CUT_AND_LARGE,
                found.isExhaustive(),
                found.isAwaited());
    }
}
