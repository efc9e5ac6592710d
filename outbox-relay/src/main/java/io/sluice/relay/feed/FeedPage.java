package io.sluice.relay.feed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the change feed.
 *
 * @param documents in the feed's order; documents of one partition key in the order of their last change
 * @param continuation for the next page, opaque
 * @param endsEarlier whether the feed ends before the requested continuation, as after a restore in place
 * @param unchanged whether the store said that nothing has changed (304); false if it did not say
 * @param sessionToken how far the replica was that answered; null if it did not say
 */
public record FeedPage(
        List<JsonNode> documents,
        String continuation,
        boolean endsEarlier,
        boolean unchanged,
        @Nullable String sessionToken) {
    /** The memory that a field takes in addition to its text, approximately. */
    private static final long FIELD_BYTES = 64;

    public FeedPage {
        documents = List.copyOf(documents);
    }

    /** A page of a feed that continues from the requested continuation. */
    public FeedPage(List<JsonNode> documents, String continuation) {
        this(documents, continuation, false, false, null);
    }

    /** Whether it has no documents; changes may follow it all the same, see {@link #isEndAfter}. */
    public boolean isEmpty() {
        return documents.isEmpty();
    }

    /**
     * Whether nothing has changed since the requested continuation. A page without documents need not be the end: the
     * service begins with one when a feed is read from a point in time.
     *
     * @param requested the continuation that this page was read from; null if it is the first one
     */
    public boolean isEndAfter(@Nullable String requested) {
        return documents.isEmpty() && (unchanged || continuation.equals(requested));
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
