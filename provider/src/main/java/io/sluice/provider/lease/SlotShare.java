package io.sluice.provider.lease;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The slots of one caller, for a time.
 *
 * @param slots 0 to 255, ascending; unmodifiable
 * @param validUntilMillis when the share runs out unless it is asked for again, in milliseconds since the epoch on the
 *     provider's clock; from then on the slots may be somebody else's
 */
public record SlotShare(SortedSet<Integer> slots, long validUntilMillis) {
    /** No slots. */
    public static final SlotShare NONE = new SlotShare(Collections.emptySortedSet(), 0);

    /** Copies the slots. */
    public SlotShare {
        slots = Collections.unmodifiableSortedSet(new TreeSet<>(slots));
    }

    static SlotShare of(Collection<Integer> slots, long validUntilMillis) {
        return new SlotShare(new TreeSet<>(slots), validUntilMillis);
    }

    /** Whether the slot is the caller's at this moment. */
    public boolean holds(int slot, long nowMillis) {
        return nowMillis < validUntilMillis && slots.contains(slot);
    }
}
