package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A page of the change feed.
 *
 * @param documents in the feed's order; documents of one partition key in the order of their last change
 * @param continuation for the next page, opaque
 * @param endsEarlier whether the feed ends before the requested continuation, as after a restore in place
 */
public record FeedPage(List<JsonNode> documents, String continuation, boolean endsEarlier) {
    /** The memory that a field takes in addition to its text, approximately. */
    private static final long FIELD_BYTES = 64;

    public FeedPage {
        documents = List.copyOf(documents);
    }

    /** A page of a feed that continues from the requested continuation. */
    public FeedPage(List<JsonNode> documents, String continuation) {
        this(documents, continuation, false);
    }

    /** Whether nothing has changed since the requested continuation. */
    public boolean isEmpty() {
        return documents.isEmpty();
    }

    /** The approximate memory of its documents, by their text and the number of their fields. */
    public long sizeBytes() {
        return documents.stream().mapToLong(FeedPage::sizeBytes).sum();
    }

    private static long sizeBytes(JsonNode node) {
        long size = FIELD_BYTES + (node.isTextual() ? node.textValue().length() : 0);
        for (var child : node) {
            size += sizeBytes(child);
        }
        return size;
    }

    /** The latest {@code _ts} of its documents, in whole seconds of the store's time; 0 if it is empty. */
    public long newestSecond() {
        return documents.stream()
                .mapToLong(document -> document.path("_ts").asLong())
                .max()
                .orElse(0);
    }
}
