package io.sluice.relay.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a range begins without a position, or with one that is refused for being ahead of the feed or of another
 * history topic. Other positions never change.
 *
 * @param repeats whether it may begin after events were published, so that some may be published twice
 * @param since earlier changes are skipped; null for the beginning of the feed
 */
public record FirstPosition(boolean repeats, @Nullable Instant since) {
    /** At the beginning, at a first start only. */
    public static final FirstPosition AT_FIRST_START = new FirstPosition(false, null);

    /** At the beginning, also after events were published. */
    public static final FirstPosition BEGINNING = new FirstPosition(true, null);

    /** At a point in time (the store's, whole seconds), also after events were published. */
    public static FirstPosition since(Instant since) {
        return new FirstPosition(true, since);
    }

    /** Where that is, in words. */
    String begin() {
        return since == null ? "the beginning of the feed" : "changes since " + since;
    }
}
