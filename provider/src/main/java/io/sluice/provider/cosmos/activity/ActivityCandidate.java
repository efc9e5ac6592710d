package io.sluice.provider.cosmos.activity;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.candidate.Candidate;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import java.util.List;

/**
 * An activity that may be taken.
 *
 * @param missingCharacters the length of its work item where that is not known yet and left empty; 0 where it is
 */
record ActivityCandidate(Stored<QueueDocument> item, long missingCharacters, long queriedAtNanos) implements Candidate {
    /** As it was announced, without its work item. */
    static ActivityCandidate announced(
            String instanceId, List<AnnouncedDocument> documents, boolean isComplete, long atNanos) {
        AnnouncedDocument newest = documents.get(documents.size() - 1);
        Stored<QueueDocument> item = newest.toQueueDocument(WorkQueue.ACTIVITIES, instanceId);
        return new ActivityCandidate(item, Math.max(1, newest.workItemLength()), atNanos);
    }

    boolean isWhole() {
        return missingCharacters == 0;
    }

    @Override
    public String key() {
        return item.document().id();
    }
}
