package io.sluice.provider.lease;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A pool of slots that is divided among the callers of this process. A caller's share changes only when the caller
 * asks: surplus slots are free from then on, and other callers take them when they ask. Thread-safe.
 */
final class SharedSlots {
    private final Map<String, Long> validUntilMillis = new HashMap<>();
    private SlotTable table = SlotTable.EMPTY;
    private SortedSet<Integer> pool = Collections.emptySortedSet();
    private long poolUntilMillis;

    /** Sets the slots of the pool, and until when they may be used. */
    synchronized void open(SortedSet<Integer> slots, long untilMillis) {
        pool = new TreeSet<>(slots);
        poolUntilMillis = untilMillis;
    }

    /**
     * Gives out only these slots from now on.
     *
     * @return other slots that callers still hold by earlier shares
     */
    synchronized SortedSet<Integer> restrictTo(SortedSet<Integer> slots, long nowMillis) {
        pool = new TreeSet<>(pool);
        pool.retainAll(slots);
        dropLapsed(nowMillis);
        SortedSet<Integer> inUse = new TreeSet<>(table.holders().keySet());
        inUse.removeAll(slots);
        return inUse;
    }

    /**
     * The caller's share; it expires with the pool, or at the end of the caller's own time if that is earlier.
     *
     * @param untilMillis end of the caller's own time
     */
    synchronized SlotShare acquire(String caller, long nowMillis, long untilMillis) {
        dropLapsed(nowMillis);
        long until = Math.min(untilMillis, poolUntilMillis);
        if (until <= nowMillis) {
            forget(caller);
            return SlotShare.NONE;
        }
        validUntilMillis.put(caller, until);
        int quota = SlotTable.quota(caller, new TreeSet<>(validUntilMillis.keySet()), pool.size());
        SortedSet<Integer> given = table.of(caller);
        SortedSet<Integer> kept = new TreeSet<>(given);
        kept.retainAll(pool);
        given.removeAll(SlotTable.within(kept, quota));
        table = table.without(given).filled(caller, quota, pool);
        return SlotShare.of(table.of(caller), until);
    }

    synchronized void release(String caller) {
        forget(caller);
    }

    private void forget(String caller) {
        validUntilMillis.remove(caller);
        table = table.of(validUntilMillis.keySet());
    }

    private void dropLapsed(long nowMillis) {
        validUntilMillis.values().removeIf(until -> until <= nowMillis);
        table = table.of(validUntilMillis.keySet());
    }
}
