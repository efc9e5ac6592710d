package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.cosmos.candidate.Knowledge;
import java.util.List;

/**
 * Work that one fetch may try to lock, and has to conclude.
 *
 * @param documents those that are known, each once; empty for "look at this instance"
 * @param knowledge whether these are all that it has now
 * @param isFound whether a search has found all of it
 * @param isTold whether some of it was announced, and not seen by this process
 * @param tokens the session tokens at which a look has to read; those of this process's own writes are left out
 */
public record WorkCandidate(
        String key,
        String instanceId,
        List<AnnouncedDocument> documents,
        Knowledge knowledge,
        boolean isFound,
        boolean isTold,
        WorkNeeds needs,
        List<String> tokens) {
    public WorkCandidate {
        documents = List.copyOf(documents);
        tokens = List.copyOf(tokens);
    }
}
