package io.sluice.provider.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** How an announcer reads a container. Used by one thread at a time. */
public interface QueueChanges {
    /** Everything that was written since the last call, in the order of the change feed. */
    List<JsonNode> next();

    /** The messages and activities that become visible, or whose lock expires, after one time and up to another. */
    List<JsonNode> dueBetween(long afterMillis, long untilMillis);
}
