package io.sluice.provider.cosmos.turn.work;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.search.QueueRows;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.turn.read.ReadyMessages;
import io.sluice.provider.document.QueueDocument;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A message that is ready, as a search shows it: ids, times, and the beginning of the work item, which shows its kind.
 *
 * @param characters of the whole work item
 */
record TurnRow(QueueDocument message, long characters) {
    static List<TurnRow> of(List<QueueRows.Row> rows) {
        return rows.stream()
                .map(row -> new TurnRow(row.document(), ReadyMessages.characters(row)))
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
}
