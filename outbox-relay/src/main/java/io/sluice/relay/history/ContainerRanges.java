package io.sluice.relay.history;

import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.PageReader;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The key ranges into which a container is cut.
 *
 * @param containerRid resource id of the container
 * @param physical the present partitions of the service
 * @param first where a range without a position begins
 * @param readers makes a reader of a range
 */
public record ContainerRanges(
        String containerRid,
        Supplier<List<KeyRange>> physical,
        FirstPosition first,
        Function<KeyRange, PageReader> readers) {
    PageReader reader(RangeId range) {
        return readers.apply(range.bounds());
    }
}
