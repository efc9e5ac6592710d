package io.sluice.provider.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** How an announcer reads a container. Used by one thread at a time. */
public interface QueueChanges {
    /** Everything that was written since the last call, in the order of the change feed. */
    List<JsonNode> next();

    /**
     * The messages and activities that become visible after one time, or whose lock expires after another, and both not
     * later than a third.
     */
    List<JsonNode> dueUntil(long untilMillis, long visibleAfterMillis, long lockedAfterMillis);
}
