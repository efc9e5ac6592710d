package io.sluice.provider.cosmos.candidate;

import io.sluice.provider.cosmos.request.SqlQuery;
import io.sluice.provider.cosmos.slot.SlotRange;

/**
 * Of which slots one look at the store is.
 *
 * @param slots those of which all is looked for
 * @param othersMillis of the other slots, what has been visible since this time or longer; 0: nothing
 */
public record SlotScope(SlotRange slots, long othersMillis) {
    /** All there is. */
    public static final SlotScope ALL = new SlotScope(SlotRange.ALL, 0);

    private static final String OWN = "(c.dispatchSlot >= @firstSlot AND c.dispatchSlot < @endOfSlots%s)";

    /** Whether nothing is left out for its slot. */
    public boolean isAll() {
        return slots.isAll();
    }

    /** Whether it shows of some instances only what is old. */
    public boolean isPartial() {
        return !isAll() && othersMillis > 0;
    }

    /**
     * The condition of a query over queue documents, with a leading AND; empty for all.
     *
     * @param alwaysOwn what counts as of these slots besides, as a condition; empty for nothing
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
