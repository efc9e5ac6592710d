package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.cosmos.request.Call;
import java.util.Collection;

/** Asks the store for candidates, oldest first. */
@FunctionalInterface
public interface CandidateQuery<C extends Candidate> {
    /**
     * Candidates, oldest first.
     *
     * @param limit most rows to read
     * @param hidden keys to leave out
     * @param slots in which to look
     * @param sentAtNanos to be noted in the candidates
     */
    Found<C> find(Call call, int limit, Collection<String> hidden, SlotScope slots, long sentAtNanos);
}
