package io.sluice.relay.lifecycle;

import io.sluice.relay.feed.KeyRange;
import java.nio.charset.StandardCharsets;

/**
 * One of the key ranges a container is cut into.
 *
 * @param index from 0; also the partition of the positions topic
 * @param ranges how many there are
 * @param bounds its part of the key space
 * @param containerRid resource id of the container
 */
record RangeId(int index, int ranges, KeyRange bounds, String containerRid) {
    static RangeId of(int index, int ranges, String containerRid) {
        return new RangeId(index, ranges, KeyRange.cut(ranges).get(index), containerRid);
    }

    /** Key of its records in the positions topic. */
    byte[] recordKey() {
        return ("range-" + index).getBytes(StandardCharsets.UTF_8);
    }
}
