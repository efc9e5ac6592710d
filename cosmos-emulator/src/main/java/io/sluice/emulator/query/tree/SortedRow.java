package io.sluice.emulator.query.tree;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;

/**
 * A row with its values of ORDER BY. Rows with equal values follow each other by resource id, in the direction of the
 * first key: an SDK that resumes an ORDER BY skips the rows it has had by comparing resource ids that way.
 */
record SortedRow(Scope row, List<JsonNode> values, long resource, List<SortKey> keys) implements Comparable<SortedRow> {
    private static final int DOCUMENT_PART = 8;

    static SortedRow of(Scope row, List<SortKey> keys) {
        List<JsonNode> values =
                keys.stream().map(key -> key.expression().eval(row)).toList();
        return new SortedRow(row, values, resource(row.variable(Scope.DOCUMENT).path("_rid")), keys);
    }

    /** The document's number within its resource id; 0 when there is none, and the rows then keep their order. */
    private static long resource(JsonNode resourceId) {
        if (!resourceId.isTextual()) {
            return 0;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(resourceId.textValue().replace('-', '/'));
            return bytes.length < DOCUMENT_PART + Long.BYTES
                    ? 0
                    : ByteBuffer.wrap(bytes).getLong(DOCUMENT_PART);
        } catch (IllegalArgumentException notBase64) {
            return 0;
        }
    }

    @Override
    public int compareTo(SortedRow other) {
        for (int i = 0; i < keys.size(); i++) {
            int order = JsonValues.ORDER.compare(values.get(i), other.values.get(i));
            if (order != 0) {
                return keys.get(i).isDescending() ? -order : order;
            }
        }
        int order = Long.compare(resource, other.resource);
        return keys.get(0).isDescending() ? -order : order;
    }
}
