package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.announcement.AnnouncedDocument;
import java.util.List;

/** Makes candidates of what was announced. */
@FunctionalInterface
public interface CandidateMaker<C extends Candidate> {
    /**
     * The candidate.
     *
     * @param documents those that were announced for it
     * @param knowledge whether these are all that it has now
     */
    C make(String instanceId, List<AnnouncedDocument> documents, Knowledge knowledge, long atNanos);
}
