package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.AnnouncedDocument;
import java.util.List;

/**
 * Work that one fetch may try to lock, and has to conclude.
 *
 * @param documents those that are known, each once; empty for "look at this instance"
 * @param knowledge whether these are all that it has now
 * @param isFound whether a search has found all of it
 * @param isTold whether some of it was announced, and not seen by this process
 */
public record WorkCandidate(
        String key,
        String instanceId,
        List<AnnouncedDocument> documents,
        Knowledge knowledge,
        boolean isFound,
        boolean isTold,
        WorkNeeds needs) {
    /** What is known of a candidate by what was announced of it. */
    public enum Knowledge {
        /** It has the announced documents and no others, so it can be locked at once. */
        COMPLETE,
        /** It has the announced documents, and may have others. */
        PARTIAL,
        /** It was announced without its documents, or an earlier try failed: the store has to be asked. */
        OUTDATED
    }

    public WorkCandidate {
        documents = List.copyOf(documents);
    }
}
