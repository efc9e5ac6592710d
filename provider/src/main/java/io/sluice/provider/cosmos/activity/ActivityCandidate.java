package io.sluice.provider.cosmos.activity;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.announcement.WorkQueue;
import io.sluice.provider.cosmos.candidate.Candidate;
import io.sluice.provider.cosmos.candidate.Knowledge;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;
import java.util.List;

/**
 * An activity that may be taken.
 *
 * @param missingCharacters the length of its work item where that is not known yet and left empty; 0 where it is
 * @param found by what
 */
record ActivityCandidate(Stored<QueueDocument> item, long missingCharacters, Found found, long queriedAtNanos)
        implements Candidate {
    /** By what it was found. */
    enum Found {
        /** By a query of the store, or it is this process's own. */
        SEEN,
        ANNOUNCED,
        /** It was announced, and has been tried before: it may be gone. */
        TRIED
    }

    /** One that this process has seen. */
    static ActivityCandidate seen(Stored<QueueDocument> item, long missingCharacters, long atNanos) {
        return new ActivityCandidate(item, missingCharacters, Found.SEEN, atNanos);
    }

    /** As it was announced, without its work item. */
    static ActivityCandidate announced(
            String instanceId, List<AnnouncedDocument> documents, Knowledge knowledge, long atNanos) {
        AnnouncedDocument newest = documents.get(documents.size() - 1);
        Stored<QueueDocument> item = newest.toQueueDocument(WorkQueue.ACTIVITIES, instanceId);
        Found found = knowledge == Knowledge.OUTDATED ? Found.TRIED : Found.ANNOUNCED;
        return new ActivityCandidate(item, Math.max(1, newest.workItemLength()), found, atNanos);
    }

    boolean isWhole() {
        return missingCharacters == 0;
    }

    @Override
    public String key() {
        return item.document().id();
    }
}
