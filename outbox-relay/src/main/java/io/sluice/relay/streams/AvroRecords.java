package io.sluice.relay.streams;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** Converts JSON to Avro records: it takes the fields of the schema, and null for a missing field. */
final class AvroRecords {
    private AvroRecords() {}

    /**
     * A record of this schema.
     *
     * @throws IllegalArgumentException when the JSON lacks what the schema requires, or has it in another type
     */
    static GenericRecord record(Schema schema, JsonNode json) {
        var record = new GenericData.Record(schema);
        for (var field : schema.getFields()) {
            record.put(field.pos(), value(field.schema(), json.path(field.name()), field.name()));
        }
        return record;
    }

    private static @Nullable Object value(Schema schema, JsonNode json, String field) {
        return switch (schema.getType()) {
            case UNION -> isNothing(json) ? null : value(present(schema.getTypes()), json, field);
            case RECORD -> record(schema, required(json.isObject(), json, field));
            case STRING -> required(json.isTextual(), json, field).textValue();
            case BOOLEAN -> required(json.isBoolean(), json, field).booleanValue();
            case DOUBLE -> required(json.isNumber(), json, field).doubleValue();
            case LONG -> number(schema, json, field);
            default -> throw new IllegalStateException("no schema of ours has a " + schema.getType() + ": " + field);
        };
    }

    /** Times are text in JSON. */
    private static long number(Schema schema, JsonNode json, String field) {
        return schema.getLogicalType() instanceof LogicalTypes.TimestampMillis
                ? Instant.parse(required(json.isTextual(), json, field).textValue())
                        .toEpochMilli()
                : required(json.canConvertToLong(), json, field).longValue();
    }

    private static boolean isNothing(JsonNode json) {
        return json.isMissingNode() || json.isNull();
    }

    private static Schema present(List<Schema> types) {
        return types.stream()
                .filter(type -> type.getType() != Schema.Type.NULL)
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode required(boolean fits, JsonNode json, String field) {
        if (!fits) {
            throw new IllegalArgumentException(field + " does not fit its Avro schema, it is " + json.getNodeType());
        }
        return json;
    }
}
