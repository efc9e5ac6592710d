package io.sluice.provider.cosmos.search;

import io.sluice.provider.cosmos.slot.SlotRange;
import io.sluice.provider.request.SqlQuery;

/**
 * The slots that one query searches.
 *
 * @param slots the slots that are searched in full
 * @param othersMillis in the other slots, messages are found that have been visible since this time; 0: none
 */
public record SlotScope(SlotRange slots, long othersMillis) {
    /** All slots in full. */
    public static final SlotScope ALL = new SlotScope(SlotRange.ALL, 0);

    private static final String OWN = "(c.dispatchSlot >= @firstSlot AND c.dispatchSlot < @endOfSlots%s)";

    /** Whether all slots are searched in full. */
    public boolean isAll() {
        return slots.isAll();
    }

    /** Whether some slots are searched for old messages alone. */
    public boolean isPartial() {
        return !isAll() && othersMillis > 0;
    }

    /**
     * The condition of a query over queue documents, with a leading AND; empty for all.
     *
     * @param alwaysOwn condition for documents of other slots that are found as well; empty for none
     */
    public String condition(String alwaysOwn) {
        if (isAll()) {
            return "";
        }
        String own = OWN.formatted(alwaysOwn.isEmpty() ? "" : " OR " + alwaysOwn);
        return " AND " + (othersMillis > 0 ? "(" + own + " OR c.visibleAt <= @othersUntil)" : own);
    }

    /** The values for {@link #condition}. */
    public SqlQuery bind(SqlQuery query) {
        if (!isAll()) {
            query.with("@firstSlot", slots.from()).with("@endOfSlots", slots.to());
        }
        return isPartial() ? query.with("@othersUntil", othersMillis) : query;
    }
}
