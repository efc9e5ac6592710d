package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What one look at the feed showed.
 *
 * @param documents in the feed's order; those of one partition key in the order of their last change
 * @param continuation where to go on, to be kept as it is
 */
public record FeedPage(List<JsonNode> documents, String continuation) {
    public FeedPage {
        documents = List.copyOf(documents);
    }

    /** Whether nothing has changed since the continuation asked for. */
    public boolean isEmpty() {
        return documents.isEmpty();
    }
}
