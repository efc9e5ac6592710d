package io.sluice.relay.lifecycle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a range begins that has no position, or one that was refused for being ahead of the feed. Others are never touched.
 *
 * @param repeats whether it may begin though events were published, so that some may come twice
 * @param since documents changed before are passed over; null for the beginning of the feed
 */
public record FirstPosition(boolean repeats, @Nullable Instant since) {
    /** At the beginning, at a first start only. */
    public static final FirstPosition AT_FIRST_START = new FirstPosition(false, null);

    /** At the beginning, whatever was published. */
    public static final FirstPosition BEGINNING = new FirstPosition(true, null);

    /** At a point in time (the store's, whole seconds), whatever was published. */
    public static FirstPosition since(Instant since) {
        return new FirstPosition(true, since);
    }
}
