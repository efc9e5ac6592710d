package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.cosmos.slot.SlotRange;
import io.sluice.provider.work.DispatchSlot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The candidates that a query found, oldest first.
 *
 * @param exhaustive whether these are all
 */
public record Found<C extends Candidate>(List<C> candidates, boolean exhaustive) {
    public Found {
        candidates = List.copyOf(candidates);
    }

    /**
     * The same list, begun at another place by each of the processes that share the slots: processes that run out of
     * work at the same time would else race for the same candidates.
     */
    Found<C> from(SlotRange own) {
        List<C> turned = new ArrayList<>(candidates);
        Collections.rotate(turned, -(candidates.size() * own.from() / DispatchSlot.COUNT));
        return new Found<>(turned, exhaustive);
    }
}
