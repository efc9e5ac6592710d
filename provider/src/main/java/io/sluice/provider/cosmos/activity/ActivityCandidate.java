package io.sluice.provider.cosmos.activity;

import io.sluice.provider.cosmos.candidate.Candidate;
import io.sluice.provider.document.QueueDocument;
import io.sluice.provider.document.Stored;

/**
 * An activity that may be taken.
 *
 * @param missingCharacters the length of its work item where that is not known yet and left empty; 0 where it is
 */
record ActivityCandidate(Stored<QueueDocument> item, long missingCharacters, long queriedAtNanos) implements Candidate {
    boolean isWhole() {
        return missingCharacters == 0;
    }

    @Override
    public String key() {
        return item.document().id();
    }
}
