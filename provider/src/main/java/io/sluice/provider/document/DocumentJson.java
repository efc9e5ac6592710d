package io.sluice.provider.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reading and writing of document fields: absent and null mean the same, as they do to every other writer of the store.
 */
public final class DocumentJson {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private DocumentJson() {}

    /** An empty object. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** A new document with the three fields all have. */
    public static ObjectNode document(String id, String instanceId, DocumentType type) {
        return object().put(Fields.ID, id).put(Fields.INSTANCE_ID, instanceId).put(Fields.TYPE, type.wireName());
    }

    /** Writes the value, or an explicit null. */
    static void put(ObjectNode document, String field, @Nullable Long value) {
        if (value == null) {
            document.putNull(field);
        } else {
            document.put(field, value.longValue());
        }
    }

    /** Text of a field that must be there. */
    public static String text(JsonNode document, String field) {
        JsonNode value = document.get(field);
        if (value == null || !value.isTextual()) {
            throw new MalformedDocumentException(describe(document) + " lacks the text field '" + field + "'");
        }
        return value.textValue();
    }

    /**
     * Text of a field that may be absent or null.
     *
     * @throws MalformedDocumentException when it is neither: what another type would read as, nobody wrote
     */
    static @Nullable String textOrNull(JsonNode document, String field) {
        JsonNode value = document.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isTextual()) {
            throw wrongType(document, field, "a text", value);
        }
        return value.textValue();
    }

    /** Text of a field that nothing rests on; null where it has another type. */
    static @Nullable String textIfAny(JsonNode document, String field) {
        return document.path(field).textValue();
    }

    private static MalformedDocumentException wrongType(
            JsonNode document, String field, String needed, JsonNode value) {
        return new MalformedDocumentException(
                describe(document) + ": '" + field + "' must be " + needed + " or null, was " + typeOf(value));
    }

    /** What a value is, without its content. */
    public static String typeOf(JsonNode value) {
        return value.getNodeType().name().toLowerCase(Locale.ROOT);
    }

    /** Number in a field that must be there. */
    public static long number(JsonNode document, String field) {
        JsonNode value = document.get(field);
        if (value == null || !value.isNumber()) {
            throw new MalformedDocumentException(describe(document) + " lacks the numeric field '" + field + "'");
        }
        return whole(document, field, value);
    }

    /**
     * Number in a field that may be absent or null.
     *
     * @throws MalformedDocumentException when it is neither
     */
    static @Nullable Long numberOrNull(JsonNode document, String field) {
        JsonNode value = document.get(field);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isNumber()) {
            throw wrongType(document, field, "a number", value);
        }
        return whole(document, field, value);
    }

    /** Number in a field that nothing rests on; null where it has another type. */
    static @Nullable Long numberIfAny(JsonNode document, String field) {
        JsonNode value = document.path(field);
        return value.isNumber() ? Long.valueOf(whole(document, field, value)) : null;
    }

    /**
     * Half a number would be another one, and who writes a lock's end beyond all time must not have it lapse at once.
     */
    private static long whole(JsonNode document, String field, JsonNode value) {
        if (!value.canConvertToLong()) {
            throw new MalformedDocumentException(
                    describe(document) + " has a number in '" + field + "' that 64 bits do not hold");
        }
        return value.longValue();
    }

    /** Number in a field that may be absent or null, which then counts as zero. */
    static long numberOrZero(JsonNode document, String field) {
        Long value = numberOrNull(document, field);
        return value == null ? 0 : value;
    }

    /** Whether the document is surely no heavier than this, found without writing it. */
    public static boolean isSurelyWithin(JsonNode document, int limitBytes) {
        return boundBytes(document) <= limitBytes;
    }

    /** No less than {@link #sizeBytes}, and much cheaper: a character takes at most six bytes once escaped. */
    public static long boundBytes(JsonNode document) {
        long bytes = 2;
        for (var field : document.properties()) {
            JsonNode value = field.getValue();
            bytes += 6L * field.getKey().length() + 4;
            bytes += value.isTextual() ? 6L * value.textValue().length() + 2 : boundOf(value);
        }
        return bytes;
    }

    /** What is neither text nor object nor array is a number of 64 bits, or shorter. */
    private static long boundOf(JsonNode value) {
        return value.isContainerNode() ? sizeBytes(value) : 24;
    }

    /** What the document will weigh on the wire, in bytes of UTF-8 after escaping. */
    public static int sizeBytes(JsonNode document) {
        try {
            return MAPPER.writeValueAsBytes(document).length;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a document tree always serialises", e);
        }
    }

    /** The text as a JSON string, quoted and escaped as every writer of the store does it. */
    public static String quoted(String text) {
        return write(MAPPER.getNodeFactory().textNode(text));
    }

    /** The document as text. */
    public static String write(JsonNode document) {
        try {
            return MAPPER.writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("a document tree always serialises", e);
        }
    }

    /**
     * The document in the text.
     *
     * @throws MalformedDocumentException when it is not a JSON object
     */
    public static ObjectNode parse(String text) {
        try {
            if (MAPPER.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            // Not the parser's own words: they quote the text, and what this says is kept and logged.
            throw new MalformedDocumentException("not JSON: " + place(e.getLocation()));
        }
        throw new MalformedDocumentException("JSON, but not an object");
    }

    /** Where it goes beyond the parser's limits, the parser does not say where. */
    private static String place(@Nullable JsonLocation location) {
        return location == null
                ? "beyond the limits of the reader"
                : "line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    /** The version of the document that was read. */
    public static String etag(JsonNode document) {
        return text(document, Fields.ETAG);
    }

    /** Whether the document is of this type. */
    public static boolean isType(JsonNode document, DocumentType type) {
        return type.wireName().equals(textIfAny(document, Fields.TYPE));
    }

    /** The document's id. */
    public static String id(JsonNode document) {
        return text(document, Fields.ID);
    }

    static String describe(JsonNode document) {
        return "document '" + document.path(Fields.ID).asText("?") + "' of instance '"
                + document.path(Fields.INSTANCE_ID).asText("?") + "'";
    }
}
