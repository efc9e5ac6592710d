package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;

/**
 * One document of a queue, told apart from others that had or get its id.
 *
 * @param version of a message the time at which it was queued, of an activity its ETag: each lock is another version
 */
public record DocumentKey(String id, String version) {
    public static DocumentKey of(WorkQueue queue, AnnouncedDocument document) {
        return queue == WorkQueue.TURNS
                ? ofMessage(document.id(), document.enqueuedAt())
                : ofActivity(document.id(), document.etag());
    }

    public static DocumentKey ofMessage(String id, long enqueuedAt) {
        return new DocumentKey(id, Long.toString(enqueuedAt));
    }

    public static DocumentKey ofActivity(String id, String etag) {
        return new DocumentKey(id, etag);
    }
}
