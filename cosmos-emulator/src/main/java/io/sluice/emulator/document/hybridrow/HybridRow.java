package io.sluice.emulator.document.hybridrow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.document.binary.BinaryJson;
import java.util.ArrayList;

/**
 * Turns batches of the SDK for .NET into the JSON that other SDKs send, and JSON results into what it reads. Sources:
 * the reference implementation in microsoft/HybridRow, with its documents, and the schemas of azure-cosmos-dotnet-v3.
 */
public final class HybridRow {
    static final int FIRST_BYTE = 0x81;
    private static final String RESOURCE_BODY = "resourceBody";
    private static final String OPERATION_TYPE = "operationType";

    private HybridRow() {}

    /** Whether a body is rows rather than text. */
    public static boolean isRows(byte[] body) {
        return body.length > 0 && (body[0] & 0xFF) == FIRST_BYTE;
    }

    /**
     * The operations in the body of a batch, as in one of JSON.
     *
     * @throws StatusException 400 when it is damaged, naming the place
     */
    public static ArrayNode readOperations(byte[] body) {
        var operations = readRows(RowSchema.OPERATION, body);
        for (var operation : operations) {
            var row = (ObjectNode) operation;
            row.put(OPERATION_TYPE, operationName(row.path(OPERATION_TYPE)));
            if (row.get(RESOURCE_BODY) instanceof BinaryNode bytes) {
                row.set(RESOURCE_BODY, BinaryJson.readEither(bytes.binaryValue()));
            }
        }
        return operations;
    }

    /** The results of a batch, each a JSON object. */
    public static byte[] writeResults(ArrayNode results) {
        var rows = Json.nodes().arrayNode();
        for (var result : results) {
            var row = rows.addObject();
            row.setAll((ObjectNode) result);
            var document = row.get(RESOURCE_BODY);
            if (document != null) {
                row.put(RESOURCE_BODY, Json.bytes(document));
            }
        }
        return writeRows(RowSchema.RESULT, rows);
    }

    /** The rows in a body; binary values are {@link BinaryNode}s. */
    static ArrayNode readRows(RowSchema schema, byte[] body) {
        var rows = Json.nodes().arrayNode();
        for (var record : RecordIo.read(body)) {
            rows.add(schema.read(record));
        }
        return rows;
    }

    static byte[] writeRows(RowSchema schema, ArrayNode rows) {
        var records = new ArrayList<byte[]>(rows.size());
        for (var row : rows) {
            records.add(schema.write((ObjectNode) row));
        }
        return RecordIo.write(records);
    }

    static StatusException invalid(int at, String fault) {
        return StatusException.badRequest("The input content is invalid HybridRow: " + fault + ", at byte " + at);
    }

    /** The name of an operation type in JSON; an unknown number stays one, and the batch is refused for it. */
    private static String operationName(JsonNode number) {
        return switch (number.asInt(-1)) {
            case 0 -> "Create";
            case 1 -> "Patch";
            case 2 -> "Read";
            case 4 -> "Delete";
            case 5 -> "Replace";
            case 20 -> "Upsert";
            default -> number.asText();
        };
    }
}
