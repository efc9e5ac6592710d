package io.sluice.provider.cosmos.activity;

import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;

/**
 * An activity that may be taken.
 *
 * @param missingCharacters the length of its work item where that is not known yet and left empty; 0 where it is
 * @param found by what
 */
record ActivityCandidate(Stored<QueueDocument> item, long missingCharacters, Found found) {
    /** By what it was found. */
    enum Found {
        /** By a query of the store, or it is this process's own. */
        SEEN,
        ANNOUNCED,
        /** It was announced, and has been tried before: it may be gone. */
        TRIED
    }

    /** One that this process has seen. */
    static ActivityCandidate seen(Stored<QueueDocument> item, long missingCharacters) {
        return new ActivityCandidate(item, missingCharacters, Found.SEEN);
    }

    boolean isWhole() {
        return missingCharacters == 0;
    }

    /** Whether announcements alone say that it is there. */
    boolean isAnnounced() {
        return found != Found.SEEN;
    }

    /** The document's id. */
    String key() {
        return item.document().id();
    }
}
