package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.announcement.AnnouncedDocument;
import java.util.List;

/**
 * What is known of a candidate by one announcement, and due at one time.
 *
 * @param key of the candidate
 * @param documents empty when they have to be looked for
 * @param completeUntil until when (milliseconds) these documents, with those of the candidate's other announcements,
 *     are known to be all; 0 when they have to be looked for
 */
record AnnouncedWork(
        String key, String instanceId, List<AnnouncedDocument> documents, long completeUntil, Settlement settlement) {
    AnnouncedWork {
        documents = List.copyOf(documents);
    }

    /** That the instance has to be looked at, for a reason of this process's own. */
    static AnnouncedWork own(String instanceId) {
        return new AnnouncedWork(instanceId, instanceId, List.of(), 0, Settlement.ofOwn());
    }

    /** Whether any free worker, of whatever process, may take it. */
    boolean isForAnyWorker() {
        return !settlement.isOwn() && documents.stream().allMatch(document -> document.sessionId() == null);
    }

    /** The same, to be looked for. */
    AnnouncedWork toLookFor() {
        return new AnnouncedWork(key, instanceId, documents, 0, settlement);
    }
}
