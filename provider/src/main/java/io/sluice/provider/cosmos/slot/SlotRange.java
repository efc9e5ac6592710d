package io.sluice.provider.cosmos.slot;

import io.sluice.provider.work.DispatchSlot;

/**
 * Neighbouring dispatch slots.
 *
 * @param from the first, 0 to 255
 * @param to the one behind the last, at most 256
 */
public record SlotRange(int from, int to) {
    /** All slots: no preference. */
    public static final SlotRange ALL = new SlotRange(0, DispatchSlot.COUNT);

    /** Checks the order. */
    public SlotRange {
        if (from < 0 || to <= from || to > DispatchSlot.COUNT) {
            throw new IllegalArgumentException("slots must be 0 <= from < to <= 256, were " + from + " to " + to);
        }
    }

    /** The part of one of several equal members; at least one slot, even where there are more members than slots. */
    static SlotRange part(int rank, int members) {
        int from = (int) Math.min(DispatchSlot.COUNT - 1L, (long) DispatchSlot.COUNT * rank / members);
        int to = (int) ((long) DispatchSlot.COUNT * (rank + 1) / members);
        return new SlotRange(from, Math.max(from + 1, to));
    }

    /** Whether it is no preference. */
    public boolean isAll() {
        return from == 0 && to == DispatchSlot.COUNT;
    }
}
