package io.sluice.provider.feed;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.document.QueueDocument;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes announcements of a container's documents, as the relay does: from the change feed in its order, and by looking
 * ahead. Used by one thread at a time.
 */
final class AnnouncementReader {
    /** How far a look ahead reaches. */
    static final long AHEAD_MILLIS = 60_000;

    private static final long OVERDUE_EVERY_MILLIS = 300_000;
    private static final long OVERDUE_FOR_MILLIS = 60_000;
    private static final int MOST_DOCUMENTS = 1_000;
    private static final Comparator<Found> FIFO = Comparator.<Found>comparingLong(
                    found -> found.document().enqueuedAt())
            .thenComparing(found -> found.document().id());

    private final QueueChanges changes;
    private final List<Found> heldActivities = new ArrayList<>();
    private long lookedAt = -1;
    private long announcedUntil = -1;
    private long horizon;
    private long lookedForOverdueAt;

    /** A document of a queue that may be announced. */
    private record Found(WorkQueue queue, String instanceId, AnnouncedDocument document) {}

    AnnouncementReader(QueueChanges changes) {
        this.changes = changes;
    }

    /** What becomes due before the next horizon, everything overdue the first time; then what the feed shows. */
    List<AnnouncedWork> read(long nowMillis) {
        List<AnnouncedWork> work = new ArrayList<>(lookAhead(nowMillis));
        work.addAll(announced(readFeed(nowMillis), horizon, nowMillis));
        return work;
    }

    private List<AnnouncedWork> lookAhead(long nowMillis) {
        long announcedBefore = announcedUntil;
        // Raised before the store is asked: a timer that is written meanwhile is announced by the feed.
        announcedUntil = nowMillis + AHEAD_MILLIS;
        // Locks from the last look on: one that is shorter than the time between two looks must be found.
        List<Found> due = changes.dueUntil(announcedUntil, announcedBefore, lookedAt).stream()
                .flatMap(json -> found(json).stream())
                .filter(found -> found.document().dueAt() <= announcedUntil)
                .sorted(FIFO)
                .toList();
        List<AnnouncedWork> work = new ArrayList<>(announced(due, 0, nowMillis));
        work.addAll(announced(overdue(nowMillis), 0, nowMillis));
        lookedAt = nowMillis;
        horizon = announcedUntil;
        return work;
    }

    /** What has been overdue for a while, however that came about; the first look shows it anyway. */
    private List<Found> overdue(long nowMillis) {
        boolean isFirst = lookedAt < 0;
        if (!isFirst && nowMillis - lookedForOverdueAt < OVERDUE_EVERY_MILLIS) {
            return List.of();
        }
        lookedForOverdueAt = nowMillis;
        return isFirst
                ? List.of()
                : changes.dueUntil(nowMillis - OVERDUE_FOR_MILLIS, -1, -1).stream()
                        .flatMap(json -> found(json).stream())
                        .filter(found -> found.document().dueAt() <= nowMillis - OVERDUE_FOR_MILLIS)
                        .sorted(FIFO)
                        .toList();
    }

    private List<Found> readFeed(long nowMillis) {
        return changes.next().stream()
                .flatMap(json -> found(json).stream())
                .filter(found -> !isLocked(found.document(), nowMillis))
                .filter(found -> found.document().visibleAt() <= announcedUntil)
                .toList();
    }

    private static boolean isLocked(AnnouncedDocument document, long nowMillis) {
        Long lockedUntil = document.lockedUntil();
        return lockedUntil != null && lockedUntil > nowMillis;
    }

    private static Optional<Found> found(JsonNode json) {
        String type = json.path("type").asText();
        if (!type.equals("orch_queue") && !type.equals("worker_queue")) {
            return Optional.empty();
        }
        WorkQueue queue = type.equals("orch_queue") ? WorkQueue.TURNS : WorkQueue.ACTIVITIES;
        try {
            return Optional.of(new Found(queue, QueueDocument.fromJson(json).instanceId(), AnnouncedDocument.of(json)));
        } catch (MalformedDocumentException | IllegalArgumentException e) {
            // Only polling meets it.
            return Optional.empty();
        }
    }

    private List<AnnouncedWork> announced(List<Found> found, long sentHorizon, long nowMillis) {
        Map<String, List<AnnouncedDocument>> turns = new LinkedHashMap<>();
        for (Found each : found) {
            if (each.queue() == WorkQueue.TURNS) {
                turns.computeIfAbsent(each.instanceId(), instance -> new ArrayList<>())
                        .add(each.document());
            } else if (!heldActivities.contains(each)) {
                heldActivities.add(each);
            }
        }
        List<AnnouncedWork> work = new ArrayList<>();
        turns.forEach((instance, documents) -> {
            for (int from = 0; from < documents.size(); from += MOST_DOCUMENTS) {
                List<AnnouncedDocument> some =
                        documents.subList(from, Math.min(documents.size(), from + MOST_DOCUMENTS));
                work.add(new AnnouncedWork(WorkQueue.TURNS, Announcement.of(instance, sentHorizon, some)));
            }
        });
        work.addAll(releaseDueActivities(nowMillis));
        return work;
    }

    /** An activity is announced when it is due and not before. */
    private List<AnnouncedWork> releaseDueActivities(long nowMillis) {
        List<Found> due = heldActivities.stream()
                .filter(activity -> activity.document().dueAt() <= nowMillis)
                .sorted(FIFO)
                .toList();
        heldActivities.removeAll(due);
        return due.stream()
                .map(activity -> new AnnouncedWork(
                        WorkQueue.ACTIVITIES, Announcement.of(activity.instanceId(), 0, List.of(activity.document()))))
                .toList();
    }
}
