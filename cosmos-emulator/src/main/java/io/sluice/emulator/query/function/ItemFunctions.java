package io.sluice.emulator.query.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.query.value.JsonValues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;

/** Functions on whole items. */
final class ItemFunctions {
    private static final int RID_BYTES = 16;
    private static final int NUMBER_AT = 8;

    static final List<BuiltIn> ALL = List.of(BuiltIn.of("DOCUMENTID", 1, ItemFunctions::documentId));

    private ItemFunctions() {}

    /**
     * The number of an item in its physical partition, which its resource id ends with; undefined for other values.
     */
    private static JsonNode documentId(Arguments arguments) {
        String rid = arguments.at(0).path("_rid").asText();
        try {
            byte[] bytes = Base64.getDecoder().decode(rid.replace('-', '/'));
            return bytes.length == RID_BYTES
                    ? JsonValues.of(ByteBuffer.wrap(bytes)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong(NUMBER_AT))
                    : JsonValues.UNDEFINED;
        } catch (IllegalArgumentException notBase64) {
            return JsonValues.UNDEFINED;
        }
    }
}
