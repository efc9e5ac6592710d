package io.sluice.relay.history;

import io.sluice.relay.feed.KeyRange;

/** Ranges for tests. */
public final class TestRanges {
    /** The whole key space. */
    public static final KeyRange WHOLE = KeyRange.cut(1).get(0);

    private TestRanges() {}

    /** One of so many equal parts of a container's key space, with one partition of positions. */
    static RangeId range(int index, int count, String containerRid) {
        return new RangeId(KeyRange.cut(count).get(index), containerRid, 1);
    }

    /** A container whose key space is one range at its first start. */
    static PositionSetup.Container whole(String rid) {
        return new PositionSetup.Container(rid, () -> KeyRange.cut(1));
    }
}
