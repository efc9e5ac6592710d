package io.sluice.provider.cosmos.candidate;

import java.util.List;

/**
 * What a query found, oldest first.
 *
 * @param exhaustive whether there was no more to find, the query not having been cut short
 */
public record Found<C extends Candidate>(List<C> candidates, boolean exhaustive) {
    public Found {
        candidates = List.copyOf(candidates);
    }
}
