package io.sluice.emulator.store.index;

import io.sluice.emulator.query.condition.ValueRange;

/**
 * The index entries that may lie in a range of values.
 *
 * @param from no entry comes before it
 * @param to and none after it
 */
record EntryRange(IndexEntry from, IndexEntry to) {
    static EntryRange of(ValueRange range) {
        if (range instanceof ValueRange.Point point) {
            var entry = IndexEntry.of(point.value(), Long.MIN_VALUE);
            return new EntryRange(entry, entry.at(Long.MAX_VALUE));
        }
        if (range instanceof ValueRange.StartsWith prefix) {
            return new EntryRange(IndexEntry.beforePrefix(prefix.text()), IndexEntry.behindPrefix(prefix.text()));
        }
        var between = (ValueRange.Bounded) range;
        var low = between.low();
        var high = between.high();
        return new EntryRange(
                low == null ? IndexEntry.beforeTypeOf(between.example()) : IndexEntry.of(low, Long.MIN_VALUE),
                high == null ? IndexEntry.behindTypeOf(between.example()) : IndexEntry.of(high, Long.MAX_VALUE));
    }

    /** Whether all its entries have the same value, so that they are in the order of their items. */
    boolean isPoint() {
        return from.hasValueOf(to);
    }
}
