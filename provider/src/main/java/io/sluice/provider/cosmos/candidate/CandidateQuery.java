package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.request.Call;
import java.util.Collection;

/** Asks the store for candidates, oldest first. */
@FunctionalInterface
public interface CandidateQuery<C extends Candidate> {
    /**
     * Candidates, oldest first.
     *
     * @param limit most rows to read
     * @param hidden keys to leave out
     * @param slots the slots to search
     * @param sentAtNanos written into the candidates
     */
    Found<C> find(Call call, int limit, Collection<String> hidden, SlotScope slots, long sentAtNanos);
}
