package io.sluice.emulator.http.dataplane;

import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.http.message.Headers;
import io.sluice.emulator.http.message.WireRequest;
import io.sluice.emulator.store.Partition;
import io.sluice.emulator.store.PartitionView;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.key.EpkRange;
import io.sluice.emulator.store.key.PartitionKey;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a request reads of one physical partition.
 *
 * @param partition that holds it
 * @param range the part of the key space asked for
 * @param key the one partition key asked for, null for all in the range
 */
record PartitionSlice(
        Partition partition, EpkRange range, @Nullable PartitionKey key) {
    /** The slice of one partition key. */
    static PartitionSlice of(RequestTarget target, PartitionKey key) {
        var effectiveKey = target.container().effectiveKey(key);
        return new PartitionSlice(target.partitionOf(key), new EpkRange(effectiveKey, effectiveKey), key);
    }

    /**
     * The slices that a request's headers ask for: by partition key, by partition key range, or by effective keys; all
     * partitions when there is no such header.
     *
     * @throws StatusException 410 with sub-status 1002 when the range is not there, 400 when a header is invalid
     */
    static List<PartitionSlice> requested(RequestTarget target, WireRequest request) {
        if (target.key() != null) {
            return ofKey(target, target.key());
        }
        var range = effectiveRange(request);
        var id = request.header(Headers.PARTITION_KEY_RANGE);
        if (id != null) {
            var partition = target.range(id);
            if (!partition.range().overlaps(range) && !partition.range().contains(range.min())) {
                throw StatusException.partitionGone(
                        "The partition key range " + id + " does not hold the effective keys asked for");
            }
            return List.of(new PartitionSlice(partition, range, null));
        }
        return within(target, range);
    }

    /** Whether a request's headers name a part of the container, so that it is answered whatever the query needs. */
    static boolean isNamed(RequestTarget target, WireRequest request) {
        return target.key() != null
                || request.header(Headers.PARTITION_KEY_RANGE) != null
                || request.header(Headers.START_EPK) != null;
    }

    /**
     * The slice of a partition key. The first components of a hierarchical key give the slices of all partitions that
     * may hold items under them.
     */
    private static List<PartitionSlice> ofKey(RequestTarget target, PartitionKey key) {
        var definition = target.container().properties().partitionKey();
        return definition.hierarchical() && !definition.isComplete(key)
                ? within(target, target.container().effectiveRange(key))
                : List.of(of(target, key));
    }

    private static List<PartitionSlice> within(RequestTarget target, EpkRange range) {
        return target.partitions().stream()
                .filter(partition ->
                        partition.range().overlaps(range) || partition.range().contains(range.min()))
                .map(partition -> new PartitionSlice(partition, range, null))
                .toList();
    }

    /** The part of the range that lies in the partition. */
    EpkRange extent() {
        return range.isPoint() ? range : range.intersect(partition.range());
    }

    /** The part of the slice within other keys. */
    PartitionSlice within(EpkRange keys) {
        return range.isPoint() ? this : new PartitionSlice(partition, extent().intersect(keys), key);
    }

    /** Roughly how many items must be read to find the whole slice without an index. */
    long itemCount() {
        return key == null ? partition.itemCount() : partition.itemCount(key);
    }

    /** The items in order of creation, from a number on. */
    Iterator<StoredItem> items(PartitionView view, long fromNumber) {
        return key == null ? among(view.items(fromNumber)) : view.items(range.min(), key, fromNumber);
    }

    /** The items of these that belong to the slice, in the same order. */
    Iterator<StoredItem> among(Iterator<StoredItem> items) {
        boolean isAll = key == null && range.contains(partition.range());
        return isAll ? items : stream(items).filter(filter()).iterator();
    }

    /** Selects the items of the partition that belong to the slice. */
    Predicate<StoredItem> filter() {
        if (key != null) {
            return item -> item.effectiveKey().equals(range.min())
                    && item.partitionKey().equals(key.text());
        }
        if (range.contains(partition.range())) {
            return item -> true;
        }
        return range.isPoint()
                ? item -> item.effectiveKey().equals(range.min())
                : item -> range.contains(item.effectiveKey());
    }

    private static Stream<StoredItem> stream(Iterator<StoredItem> items) {
        return StreamSupport.stream(((Iterable<StoredItem>) () -> items).spliterator(), false);
    }

    private static EpkRange effectiveRange(WireRequest request) {
        var min = request.header(Headers.START_EPK);
        var max = request.header(Headers.END_EPK);
        var range = new EpkRange(min == null ? EpkRange.FULL.min() : min, max == null ? EpkRange.FULL.max() : max);
        boolean isRange = range.min().compareTo(range.max()) <= 0 && range.min().compareTo(EpkRange.FULL.max()) < 0;
        if (!isRange || !isHexadecimal(range.min()) || !isHexadecimal(range.max())) {
            throw StatusException.badRequest("The effective partition keys from '" + range.min() + "' to '"
                    + range.max() + "' are no range: they must be hexadecimal, the first not above the second.");
        }
        return range;
    }

    private static boolean isHexadecimal(String effectiveKey) {
        return effectiveKey.chars().allMatch(digit -> Character.digit(digit, 16) >= 0);
    }
}
