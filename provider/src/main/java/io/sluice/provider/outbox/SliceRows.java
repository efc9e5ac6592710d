package io.sluice.provider.outbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.Fields;
import java.util.List;

/**
 * Rows of a query that brings small intents whole and of large ones only what is needed to read them later: their id,
 * the time of their turn and their size. Pure.
 */
final class SliceRows {
    /**
     * What a query selects for that. The size of a payload that is no text is undefined, and so is the condition: then
     * the document counts as large.
     */
    static final String SELECTED = "VALUE (LENGTH(c.payload) <= 4096 ? c : {id: c.id, createdAt: c.createdAt,"
            + " targetInstanceId: c.targetInstanceId, large: true, length: LENGTH(c.payload)})";

    /** What the large ones of one slice may have together, unless a single one has more. */
    static final long MAX_SLICE_BYTES = 4_000_000;

    private static final long MAX_DOCUMENT_BYTES = 2_097_152;
    private static final String LARGE = "large";
    private static final int CHAR_BYTES = 2;

    private SliceRows() {}

    static boolean isLarge(JsonNode row) {
        return row.path(LARGE).asBoolean() && !row.has(Fields.TYPE);
    }

    /** All before the first large one. */
    static List<ObjectNode> small(List<ObjectNode> rows) {
        int count = 0;
        while (count < rows.size() && !isLarge(rows.get(count))) {
            count++;
        }
        return rows.subList(0, count);
    }

    /** What belongs to one slice: one at least, and as many as have room. */
    static List<ObjectNode> next(List<ObjectNode> rows) {
        int count = 0;
        long bytes = 0;
        while (count < rows.size() && (count == 0 || bytes + bytes(rows.get(count)) <= MAX_SLICE_BYTES)) {
            bytes += bytes(rows.get(count));
            count++;
        }
        return rows.subList(0, count);
    }

    static long bytes(List<ObjectNode> rows) {
        return rows.stream().mapToLong(SliceRows::bytes).sum();
    }

    /** A text takes one byte or two per character in memory, and no more than its document may have in the store. */
    private static long bytes(ObjectNode row) {
        if (!isLarge(row)) {
            return 0;
        }
        return row.has("length")
                ? Math.min(row.path("length").asLong() * CHAR_BYTES, MAX_DOCUMENT_BYTES)
                : MAX_DOCUMENT_BYTES;
    }
}
