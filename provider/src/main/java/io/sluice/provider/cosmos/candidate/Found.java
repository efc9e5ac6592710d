package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.cosmos.slot.SlotRange;
import io.sluice.provider.work.DispatchSlot;
import java.util.ArrayList;
import java.util.Collections;
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

    /** The same, begun elsewhere by each of the processes that share the slots: those who run out of work at once would race along one list otherwise. */
    Found<C> from(SlotRange own) {
        List<C> turned = new ArrayList<>(candidates);
        Collections.rotate(turned, -(candidates.size() * own.from() / DispatchSlot.COUNT));
        return new Found<>(turned, exhaustive);
    }
}
