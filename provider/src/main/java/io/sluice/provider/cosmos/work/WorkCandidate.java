package io.sluice.provider.cosmos.work;

import io.sluice.provider.announcement.AnnouncedDocument;
import io.sluice.provider.cosmos.candidate.Knowledge;
import java.util.List;

/**
 * Work that one fetch may try to lock, and has to conclude.
 *
 * @param documents those that are known, each once; empty for "look at this instance"
 * @param knowledge whether these are all that it has now
 * @param isSeen whether a search of this process has seen all of it, rather than that it was told of
 * @param tokens the session tokens at which a look has to read; those of this process's own writes are left out
 */
public record WorkCandidate(
        String key,
        String instanceId,
        List<AnnouncedDocument> documents,
        Knowledge knowledge,
        boolean isSeen,
        WorkNeeds needs,
        List<String> tokens) {
    public WorkCandidate {
        documents = List.copyOf(documents);
        tokens = List.copyOf(tokens);
    }
}
