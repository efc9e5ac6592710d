package io.sluice.emulator.document.hybridrow;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import java.util.Map;

/** The other side of a batch: what the SDK for .NET writes and reads. */
public final class BatchRows {
    private static final Map<String, Integer> TYPES =
            Map.of("Create", 0, "Patch", 1, "Read", 2, "Delete", 4, "Replace", 5, "Upsert", 20);
    private static final int DOCUMENT = 2;

    private BatchRows() {}

    /** Operations as JSON names them. */
    public static byte[] writeOperations(ArrayNode operations) {
        var rows = Json.nodes().arrayNode();
        for (var operation : operations) {
            var row = rows.addObject();
            row.setAll((ObjectNode) operation);
            row.put("operationType", TYPES.get(row.path("operationType").textValue()));
            row.put("resourceType", DOCUMENT);
            if (row.has("resourceBody")) {
                row.put("resourceBody", Json.bytes(row.path("resourceBody")));
            }
        }
        return HybridRow.writeRows(RowSchema.OPERATION, rows);
    }

    /** Results as JSON has them. */
    public static ArrayNode readResults(byte[] body) {
        var results = HybridRow.readRows(RowSchema.RESULT, body);
        for (var result : results) {
            if (result.get("resourceBody") instanceof BinaryNode bytes) {
                ((ObjectNode) result).set("resourceBody", Json.readValue(bytes.binaryValue()));
            }
        }
        return results;
    }
}
