package io.sluice.relay.history;

import io.sluice.relay.feed.KeyRange;
import io.sluice.relay.feed.PageReader;
import java.util.function.Function;

/**
 * The key ranges into which a container is cut.
 *
 * @param containerRid resource id of the container
 * @param count number of ranges: the partitions of the positions topic
 * @param first where a range without a position begins
 * @param readers makes a reader of a range
 */
public record ContainerRanges(
        String containerRid, int count, FirstPosition first, Function<KeyRange, PageReader> readers) {
    RangeId id(int range) {
        return RangeId.of(range, count, containerRid);
    }

    PageReader reader(int range) {
        return readers.apply(id(range).bounds());
    }
}
