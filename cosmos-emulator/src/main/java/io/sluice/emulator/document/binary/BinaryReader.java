package io.sluice.emulator.document.binary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.sluice.emulator.document.Json;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Base64;

/** Reads values of binary JSON. Used by one thread. */
final class BinaryReader {
    private static final int MAX_DEPTH = 256;
    private static final JsonNodeFactory NODES = Json.nodes();
    /** Integers up to here are doubles without loss. */
    private static final double EXACT = 1L << 53;

    private final ByteBuffer in;
    private final StringReader strings;

    /** @param in little-endian, at a value */
    BinaryReader(ByteBuffer in) {
        this.in = in;
        this.strings = new StringReader(in);
    }

    JsonNode value() {
        return value(0);
    }

    private JsonNode value(int depth) {
        if (depth > MAX_DEPTH) {
            throw BinaryJson.invalid(in.position(), "it is nested deeper than " + MAX_DEPTH);
        }
        int marker = marker();
        if (marker < Markers.SYSTEM_STRINGS) {
            return NODES.numberNode(marker);
        }
        if (StringReader.isString(marker)) {
            return NODES.textNode(strings.read(marker));
        }
        return marker < Markers.ARRAY_EMPTY ? scalar(marker) : container(marker, depth);
    }

    private int marker() {
        return in.get() & 0xFF;
    }

    private JsonNode scalar(int marker) {
        return switch (marker) {
            case Markers.NULL -> NODES.nullNode();
            case Markers.FALSE -> NODES.booleanNode(false);
            case Markers.TRUE -> NODES.booleanNode(true);
            case Markers.NUMBER_UINT64 -> unsigned(in.getLong());
            case Markers.NUMBER_UINT8 -> NODES.numberNode(in.get() & 0xFF);
            case Markers.NUMBER_INT16 -> number(Markers.INT16);
            case Markers.NUMBER_INT32 -> number(Markers.INT32);
            case Markers.NUMBER_INT64 -> number(Markers.INT64);
            case Markers.NUMBER_DOUBLE -> number(Markers.FLOAT64);
            case Markers.GUID -> NODES.textNode(strings.guidValue());
            case Markers.BINARY_1 -> bytes(1);
            case Markers.BINARY_2 -> bytes(2);
            case Markers.BINARY_4 -> bytes(4);
            case Markers.UINT8 -> throw unknown(marker);
            default -> number(marker);
        };
    }

    /** A number without its marker. */
    private NumericNode number(int marker) {
        return switch (marker) {
            case Markers.UINT8 -> NODES.numberNode(in.get() & 0xFF);
            case Markers.INT8 -> NODES.numberNode(in.get());
            case Markers.INT16 -> NODES.numberNode(in.getShort());
            case Markers.INT32 -> NODES.numberNode(in.getInt());
            case Markers.INT64 -> NODES.numberNode(in.getLong());
            case Markers.UINT32 -> NODES.numberNode(in.getInt() & 0xFFFFFFFFL);
            case Markers.FLOAT32 -> floating(in.getFloat());
            case Markers.FLOAT64 -> floating(in.getDouble());
            default -> throw unknown(marker);
        };
    }

    /** Whole numbers are integers in the service's texts, however they came. */
    private static NumericNode floating(double number) {
        boolean isWhole = number == Math.rint(number) && Math.abs(number) <= EXACT;
        boolean isNegativeZero = number == 0 && 1 / number < 0;
        return isWhole && !isNegativeZero ? NODES.numberNode((long) number) : NODES.numberNode(number);
    }

    private static ValueNode unsigned(long number) {
        return number >= 0 ? NODES.numberNode(number) : NODES.numberNode(new BigInteger(Long.toUnsignedString(number)));
    }

    /** Bytes have no form in JSON: they become base 64, as SDKs show them. */
    private JsonNode bytes(int lengthBytes) {
        return NODES.textNode(Base64.getEncoder().encodeToString(strings.bytes(strings.length(lengthBytes))));
    }

    private JsonNode container(int marker, int depth) {
        return switch (marker) {
            case Markers.ARRAY_EMPTY -> NODES.arrayNode();
            case Markers.ARRAY_SINGLE -> NODES.arrayNode().add(value(depth + 1));
            case Markers.ARRAY_1 -> array(end(1), depth);
            case Markers.ARRAY_2 -> array(end(2), depth);
            case Markers.ARRAY_4 -> array(end(4), depth);
            case Markers.ARRAY_COUNTED_1 -> counted(1, end -> array(end, depth));
            case Markers.ARRAY_COUNTED_2 -> counted(2, end -> array(end, depth));
            case Markers.ARRAY_COUNTED_4 -> counted(4, end -> array(end, depth));
            case Markers.OBJECT_EMPTY -> NODES.objectNode();
            case Markers.OBJECT_SINGLE -> single(depth);
            case Markers.OBJECT_1 -> object(end(1), depth);
            case Markers.OBJECT_2 -> object(end(2), depth);
            case Markers.OBJECT_4 -> object(end(4), depth);
            case Markers.OBJECT_COUNTED_1 -> counted(1, end -> object(end, depth));
            case Markers.OBJECT_COUNTED_2 -> counted(2, end -> object(end, depth));
            case Markers.OBJECT_COUNTED_4 -> counted(4, end -> object(end, depth));
            case Markers.NUMBERS_1 -> numbers(marker(), strings.length(1));
            case Markers.NUMBERS_2 -> numbers(marker(), strings.length(2));
            case Markers.ARRAYS_OF_NUMBERS_1 -> arraysOfNumbers(1);
            case Markers.ARRAYS_OF_NUMBERS_2 -> arraysOfNumbers(2);
            default -> throw unknown(marker);
        };
    }

    private int end(int lengthBytes) {
        return within(strings.length(lengthBytes));
    }

    private int within(int length) {
        if (length > in.remaining()) {
            throw BinaryJson.invalid(in.position(), "a container of " + length + " bytes does not end within the body");
        }
        return in.position() + length;
    }

    /** Reads a container up to a position. */
    private interface Content {
        JsonNode readTo(int end);
    }

    private JsonNode counted(int lengthBytes, Content content) {
        int length = strings.length(lengthBytes);
        int count = strings.length(lengthBytes);
        int at = in.position();
        JsonNode read = content.readTo(within(length));
        if (read.size() != count) {
            throw BinaryJson.invalid(at, "a container of " + count + " values has " + read.size());
        }
        return read;
    }

    private ArrayNode array(int end, int depth) {
        ArrayNode array = NODES.arrayNode();
        while (in.position() < end) {
            array.add(value(depth + 1));
        }
        checkEnd(end);
        return array;
    }

    private ObjectNode object(int end, int depth) {
        ObjectNode object = NODES.objectNode();
        while (in.position() < end) {
            property(object, depth);
        }
        checkEnd(end);
        return object;
    }

    private ObjectNode single(int depth) {
        ObjectNode object = NODES.objectNode();
        property(object, depth);
        return object;
    }

    private void property(ObjectNode object, int depth) {
        int at = in.position();
        int marker = marker();
        if (!StringReader.isString(marker)) {
            throw BinaryJson.invalid(at, "the name of a property must be a string");
        }
        object.set(strings.read(marker), value(depth + 1));
    }

    private void checkEnd(int end) {
        if (in.position() != end) {
            throw BinaryJson.invalid(end, "a value goes on behind the end of its container");
        }
    }

    private ArrayNode numbers(int itemMarker, int count) {
        ArrayNode array = NODES.arrayNode();
        for (int i = 0; i < count; i++) {
            array.add(number(itemMarker));
        }
        return array;
    }

    private ArrayNode arraysOfNumbers(int countBytes) {
        int inner = marker();
        if (inner != Markers.NUMBERS_1 && inner != Markers.NUMBERS_2) {
            throw unknown(inner);
        }
        int itemMarker = marker();
        int numbers = strings.length(countBytes);
        int arrays = strings.length(countBytes);
        if (numbers == 0) {
            throw BinaryJson.invalid(in.position(), "arrays of numbers must not be empty");
        }
        ArrayNode outer = NODES.arrayNode();
        for (int i = 0; i < arrays; i++) {
            outer.add(numbers(itemMarker, numbers));
        }
        return outer;
    }

    private RuntimeException unknown(int marker) {
        return BinaryJson.invalid(in.position() - 1, "no value begins with %02X".formatted(marker));
    }
}
