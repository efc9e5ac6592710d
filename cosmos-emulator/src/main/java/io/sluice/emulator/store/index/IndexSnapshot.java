package io.sluice.emulator.store.index;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.emulator.query.condition.IndexCondition;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.RootReference;
import org.jspecify.annotations.Nullable;

/** An index as it was at one moment. Thread-safe. */
public final class IndexSnapshot {
    private final MVMap<IndexEntry, Long> entries;
    private final RootReference<IndexEntry, Long> root;

    IndexSnapshot(MVMap<IndexEntry, Long> entries, RootReference<IndexEntry, Long> root) {
        this.entries = entries;
        this.root = root;
    }

    /** Roughly how many items may meet a condition, counted in the current index without reading items. */
    public long estimate(IndexCondition condition) {
        return ranges(condition).stream()
                .mapToLong(range -> Math.max(0, place(range.to()) - place(range.from())))
                .sum();
    }

    /** How many items have no value here. */
    public long withoutValue() {
        return place(IndexEntry.behindTypeOf(MissingNode.getInstance()));
    }

    /** Whether the items that meet a condition come one by one, without sorting all of them first. */
    public static boolean isStreamed(IndexCondition condition) {
        var ranges = ranges(condition);
        return ranges.size() == 1 && ranges.get(0).isPoint();
    }

    /** The numbers of the items that may meet a condition, from a number on, ascending, each once. */
    public PrimitiveIterator.OfLong items(IndexCondition condition, long fromNumber) {
        if (isStreamed(condition)) {
            var only = ranges(condition).get(0);
            return numbers(new EntryRange(only.from().at(fromNumber), only.to()));
        }
        var found = LongStream.builder();
        for (var range : ranges(condition)) {
            var numbers = numbers(range);
            while (numbers.hasNext()) {
                found.add(numbers.nextLong());
            }
        }
        var sorted = found.build().filter(number -> number >= fromNumber).toArray();
        Arrays.sort(sorted);
        return Arrays.stream(sorted).distinct().iterator();
    }

    /** The numbers of all items in the order of their values; items whose values share an index entry form a group. */
    public Iterator<PrimitiveIterator.OfLong> groups(boolean descending) {
        return new Groups(descending);
    }

    private static List<EntryRange> ranges(IndexCondition condition) {
        return condition.ranges().stream().map(EntryRange::of).toList();
    }

    /** How many entries come before a key. */
    private long place(IndexEntry entry) {
        long index = entries.getKeyIndex(entry);
        return index < 0 ? -index - 1 : index;
    }

    private PrimitiveIterator.OfLong numbers(EntryRange range) {
        if (range.from().compareTo(range.to()) > 0) {
            return LongStream.empty().iterator();
        }
        var cursor = entries.cursor(root, range.from(), range.to(), false);
        return new PrimitiveIterator.OfLong() {
            @Override
            public boolean hasNext() {
                return cursor.hasNext();
            }

            @Override
            public long nextLong() {
                return cursor.next().item();
            }
        };
    }

    /** Goes from value to value. */
    private final class Groups implements Iterator<PrimitiveIterator.OfLong> {
        private final boolean descending;
        private Cursor<IndexEntry, Long> cursor;
        private @Nullable IndexEntry last;

        Groups(boolean descending) {
            this.descending = descending;
            cursor = entries.cursor(root, null, null, descending);
        }

        @Override
        public boolean hasNext() {
            if (last != null) {
                cursor = entries.cursor(root, last.at(descending ? Long.MIN_VALUE : Long.MAX_VALUE), null, descending);
                last = null;
            }
            return cursor.hasNext();
        }

        @Override
        public PrimitiveIterator.OfLong next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            var first = cursor.next();
            last = first;
            return numbers(new EntryRange(first.at(Long.MIN_VALUE), first.at(Long.MAX_VALUE)));
        }
    }
}
