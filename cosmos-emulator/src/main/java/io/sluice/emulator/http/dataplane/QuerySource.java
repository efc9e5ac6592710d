package io.sluice.emulator.http.dataplane;

import io.sluice.emulator.query.CosmosQuery;
import io.sluice.emulator.query.condition.DocumentPath;
import io.sluice.emulator.query.condition.IndexCondition;
import io.sluice.emulator.query.condition.OrderByLimit;
import io.sluice.emulator.store.PartitionView;
import io.sluice.emulator.store.index.FrozenIndex;
import io.sluice.emulator.store.item.StoredItem;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.Set;

/**
 * What a query reads, and by which way it reads least: the slice as it lies, the items an index gives for one of the filter's demands, or those
 * an index gives in the query's order.
 */
final class QuerySource {
    /** So few items are read sooner than an index is made, and kept up by every write. */
    private static final int FEW = 100;

    /** So many numbers from an index are collected and sorted in the time one item is read and judged. */
    private static final double NUMBERS_PER_READ = 10;

    /** The items of a demand, and about how many there are. */
    private record Found(IndexCondition demand, FrozenIndex index, long count) {}

    private final PartitionSlice slice;
    private final PartitionView view;
    private final CosmosQuery query;
    private final int maxItems;
    private final long wholeCount;
    private final Optional<Found> fewest;

    private QuerySource(PartitionSlice slice, PartitionView view, CosmosQuery query, int maxItems) {
        this.slice = slice;
        this.view = view;
        this.query = query;
        this.maxItems = maxItems;
        wholeCount = slice.itemCount();
        fewest = query.demands().stream()
                .flatMap(demand -> view.index(demand.path()).stream()
                        .map(index -> new Found(demand, index, index.estimate(demand))))
                .min(Comparator.comparingLong(Found::count))
                .filter(found -> reads(found) < wholeCount);
    }

    /**
     * The slice as it is now, with indexes for what the query looks for, unless the slice is small.
     *
     * @param maxItems of a page
     */
    static QuerySource of(PartitionSlice slice, CosmosQuery query, int maxItems) {
        var partition = slice.partition();
        var view = slice.itemCount() <= FEW ? partition.view() : partition.view(paths(query));
        return new QuerySource(slice, view, query, maxItems);
    }

    PartitionSlice slice() {
        return slice;
    }

    PartitionView view() {
        return view;
    }

    int maxItems() {
        return maxItems;
    }

    private static Set<DocumentPath> paths(CosmosQuery query) {
        var paths = new HashSet<DocumentPath>();
        query.demands().forEach(demand -> paths.add(demand.path()));
        query.limitedOrder().ifPresent(order -> paths.add(order.path()));
        return paths;
    }

    /** The items from a number on that the query's filter can let through, and perhaps others, in order of creation. */
    Iterator<StoredItem> items(long fromNumber) {
        return fewest.map(found -> slice.among(view.items(found.index().items(found.demand(), fromNumber))))
                .orElseGet(() -> slice.items(view, fromNumber));
    }

    /** All items in groups that follow each other in the query's order, where that reads less than {@link #items}. */
    Optional<Iterator<Iterator<StoredItem>>> inOrder() {
        return query.limitedOrder()
                .filter(order -> readsInOrder(order) < readsAsCreated())
                .flatMap(order -> view.index(order.path()).map(index -> index.groups(order.descending())))
                .map(groups -> new Groups(groups, this));
    }

    /** As many as come before enough have matched, if those that match lie evenly among the others. */
    private double readsInOrder(OrderByLimit order) {
        return (double) order.rows() * view.itemCount() / Math.max(1, readsAsCreated());
    }

    private double readsAsCreated() {
        return fewest.map(this::reads).orElse((double) wholeCount);
    }

    /** The cost of reading all that was found, in items read. Where the index has to sort, it does so again for each page. */
    private double reads(Found found) {
        boolean isSorted = FrozenIndex.isStreamed(found.demand());
        double pages = query.isStreaming() ? 1 + (double) found.count() / maxItems : 1;
        return isSorted ? found.count() : found.count() * (1 + pages / NUMBERS_PER_READ);
    }

    /** The items of each group. */
    private record Groups(Iterator<PrimitiveIterator.OfLong> numbers, QuerySource source)
            implements Iterator<Iterator<StoredItem>> {
        @Override
        public boolean hasNext() {
            return numbers.hasNext();
        }

        @Override
        public Iterator<StoredItem> next() {
            return source.slice.among(source.view.items(numbers.next()));
        }
    }
}
