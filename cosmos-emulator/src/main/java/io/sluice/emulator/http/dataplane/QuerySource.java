package io.sluice.emulator.http.dataplane;

import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.query.condition.DocumentPath;
import io.sluice.emulator.query.condition.IndexCondition;
import io.sluice.emulator.query.condition.OrderByLimit;
import io.sluice.emulator.store.PartitionView;
import io.sluice.emulator.store.computed.ComputedProperties;
import io.sluice.emulator.store.index.IndexSnapshot;
import io.sluice.emulator.store.item.StoredItem;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;

/**
 * Chooses how a query reads a slice, so that it reads the fewest items: the whole slice, the items that an index finds
 * for one condition of the filter, or the items that an index gives in the order of ORDER BY.
 */
final class QuerySource {
    /**
     * A slice of so few items is read whole: that costs less than to build an index and to update it with every write.
     */
    private static final int FEW = 100;

    /** How many item numbers from an index are collected and sorted in the time it takes to read one item. */
    private static final double NUMBERS_PER_READ = 10;

    /** The items of a condition, and about how many there are. */
    private record IndexMatch(IndexCondition condition, IndexSnapshot index, long count) {}

    private final PartitionSlice slice;
    private final PartitionView view;
    private final CosmosQuery query;
    private final ComputedProperties computed;
    private final int maxItems;
    private final long wholeCount;
    private final Optional<IndexMatch> fewest;

    private QuerySource(
            PartitionSlice slice, PartitionView view, CosmosQuery query, ComputedProperties computed, int maxItems) {
        this.slice = slice;
        this.view = view;
        this.query = query;
        this.computed = computed;
        this.maxItems = maxItems;
        wholeCount = slice.itemCount();
        fewest = query.conditions().stream()
                .flatMap(condition -> view.index(condition.path()).stream()
                        .map(index -> new IndexMatch(condition, index, index.estimate(condition))))
                .min(Comparator.comparingLong(IndexMatch::count))
                .filter(found -> reads(found) < wholeCount);
    }

    /**
     * The slice as it is now, with indexes for what the query looks for, unless the slice is small.
     *
     * @param computed properties that the query sees besides
     * @param maxItems of a page
     */
    static QuerySource of(PartitionSlice slice, CosmosQuery query, ComputedProperties computed, int maxItems) {
        var partition = slice.partition();
        var view = slice.itemCount() <= FEW ? partition.view() : partition.view(paths(query));
        return new QuerySource(slice, view, query, computed, maxItems);
    }

    PartitionSlice slice() {
        return slice;
    }

    PartitionView view() {
        return view;
    }

    ComputedProperties computed() {
        return computed;
    }

    int maxItems() {
        return maxItems;
    }

    private static Set<DocumentPath> paths(CosmosQuery query) {
        var paths = new HashSet<DocumentPath>();
        query.conditions().forEach(condition -> paths.add(condition.path()));
        query.orderByLimit().ifPresent(order -> paths.add(order.path()));
        return paths;
    }

    /** The items from a number on that may pass the filter, and perhaps others, in order of creation. */
    Iterator<StoredItem> items(long fromNumber) {
        return fewest.map(found -> slice.among(view.items(found.index().items(found.condition(), fromNumber))))
                .orElseGet(() -> slice.items(view, fromNumber));
    }

    /** Those items in groups that follow each other in the query's order, where that costs less than {@link #items}. */
    Optional<Iterator<Iterator<StoredItem>>> inOrder() {
        return query.orderByLimit()
                .flatMap(order -> view.index(order.path())
                        .map(index -> new OrderedRead(order, index))
                        .filter(read -> read.cost() < readsAsCreated())
                        .map(read -> new ItemGroups(read.index().groups(order.descending()), wanted(read), this)));
    }

    /**
     * A read along the order's index until enough have matched. It either reads the item of each entry, or first
     * collects the numbers that the condition finds and reads only the items among them.
     */
    private final class OrderedRead {
        private final OrderByLimit order;
        private final IndexSnapshot index;
        private final double entries;
        private final double matches;

        OrderedRead(OrderByLimit order, IndexSnapshot index) {
            this.order = order;
            this.index = index;
            long valueless = index.withoutValue();
            matches = Math.max(1, fewest.map(found -> (double) found.count()).orElse((double) wholeCount));
            // As if matches were spread evenly among the items that have a value. Those without one come first in
            // ascending order, and seldom match.
            entries = (order.descending() ? 0 : valueless) + order.rows() * (view.itemCount() - valueless) / matches;
        }

        IndexSnapshot index() {
            return index;
        }

        double cost() {
            return isByNumbers() ? byNumbers() : entries;
        }

        boolean isByNumbers() {
            return fewest.isPresent() && byNumbers() < entries;
        }

        private double byNumbers() {
            return order.rows() + (entries + matches) / NUMBERS_PER_READ;
        }
    }

    /** Selects the items of the condition without reading them, where that is worth it. */
    private Optional<LongPredicate> wanted(OrderedRead read) {
        return fewest.filter(found -> read.isByNumbers()).map(found -> {
            long[] ascending = stream(found.index().items(found.condition(), 0)).toArray();
            return number -> Arrays.binarySearch(ascending, number) >= 0;
        });
    }

    private static LongStream stream(PrimitiveIterator.OfLong numbers) {
        return StreamSupport.longStream(Spliterators.spliteratorUnknownSize(numbers, Spliterator.ORDERED), false);
    }

    private double readsAsCreated() {
        return fewest.map(this::reads).orElse((double) wholeCount);
    }

    /**
     * The cost of reading all matches, in items read. An index that has to sort its matches does so again for each
     * page.
     */
    private double reads(IndexMatch found) {
        boolean isSorted = IndexSnapshot.isStreamed(found.condition());
        double pages = query.isStreaming() ? 1 + (double) found.count() / maxItems : 1;
        return isSorted ? found.count() : found.count() * (1 + pages / NUMBERS_PER_READ);
    }

    /** The wanted items of each group, all where nothing selects them. */
    private record ItemGroups(
            Iterator<PrimitiveIterator.OfLong> numbers, Optional<LongPredicate> wanted, QuerySource source)
            implements Iterator<Iterator<StoredItem>> {
        @Override
        public boolean hasNext() {
            return numbers.hasNext();
        }

        @Override
        public Iterator<StoredItem> next() {
            var group = numbers.next();
            var selected = wanted.map(isWanted -> stream(group).filter(isWanted).iterator());
            return source.slice.among(source.view.items(selected.orElse(group)));
        }
    }
}
