package io.sluice.provider.cosmos.activity;

import io.sluice.provider.cosmos.candidate.Candidate;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.Stored;

/** An activity that may be taken. */
record ActivityCandidate(Stored<QueueDocument> item, long queriedAtNanos) implements Candidate {
    @Override
    public String key() {
        return item.document().id();
    }
}
