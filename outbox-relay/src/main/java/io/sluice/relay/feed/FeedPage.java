package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What one look at the feed showed.
 *
 * @param documents in the feed's order; those of one partition key in the order of their last change
 * @param continuation where to go on, to be kept as it is
 * @param endsEarlier whether the feed was found to end before the continuation asked for, as it does after a restore in
 *     place
 */
public record FeedPage(List<JsonNode> documents, String continuation, boolean endsEarlier) {
    /** The memory that a field takes in addition to its text, approximately. */
    private static final long FIELD_BYTES = 64;

    public FeedPage {
        documents = List.copyOf(documents);
    }

    /** Of a feed that goes on from where it was asked. */
    public FeedPage(List<JsonNode> documents, String continuation) {
        this(documents, continuation, false);
    }

    /** Whether nothing has changed since the continuation asked for. */
    public boolean isEmpty() {
        return documents.isEmpty();
    }

    /** About what its documents take in memory, by their text and the number of their fields. */
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

    /** The latest time of its documents, {@code _ts}, whole seconds of the store's time; 0 of an empty one. */
    public long newestSecond() {
        return documents.stream()
                .mapToLong(document -> document.path("_ts").asLong())
                .max()
                .orElse(0);
    }
}
