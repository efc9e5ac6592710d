package io.sluice.emulator.document.binary;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Writes values of binary JSON, in the shortest of its plain forms. Used by one thread. */
final class BinaryWriter {
    private static final int MAX_1 = 0xFF;
    private static final int MAX_2 = 0xFFFF;
    private static final int MAX_SHORT_STRING = 0x3F;
    private static final Map<String, Integer> SYSTEM = new HashMap<>();

    static {
        Markers.SYSTEM.forEach(text -> SYSTEM.put(text, Markers.SYSTEM_STRINGS + SYSTEM.size()));
    }

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    byte[] bytes() {
        return out.toByteArray();
    }

    void raw(int value) {
        out.write(value);
    }

    void value(JsonNode value) {
        switch (value.getNodeType()) {
            case NULL -> raw(Markers.NULL);
            case BOOLEAN -> raw(value.booleanValue() ? Markers.TRUE : Markers.FALSE);
            case NUMBER -> number(value);
            case STRING -> string(value.textValue());
            case ARRAY -> array(value);
            case OBJECT -> object(value);
            case BINARY, MISSING, POJO -> throw new IllegalArgumentException("No JSON: " + value.getNodeType());
        }
    }

    private void number(JsonNode value) {
        if (!value.canConvertToLong() || !value.isIntegralNumber()) {
            raw(Markers.NUMBER_DOUBLE);
            littleEndian(Double.doubleToLongBits(value.doubleValue()), Double.BYTES);
            return;
        }
        long number = value.longValue();
        if (number >= 0 && number < Markers.SYSTEM_STRINGS) {
            raw((int) number);
        } else if (number >= 0 && number <= MAX_1) {
            integer(Markers.NUMBER_UINT8, number, Byte.BYTES);
        } else if (number == (short) number) {
            integer(Markers.NUMBER_INT16, number, Short.BYTES);
        } else if (number == (int) number) {
            integer(Markers.NUMBER_INT32, number, Integer.BYTES);
        } else {
            integer(Markers.NUMBER_INT64, number, Long.BYTES);
        }
    }

    private void integer(int marker, long number, int size) {
        raw(marker);
        littleEndian(number, size);
    }

    private void string(String text) {
        Integer marker = SYSTEM.get(text);
        if (marker != null) {
            raw(marker);
            return;
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length <= MAX_SHORT_STRING) {
            raw(Markers.SHORT_STRINGS | utf8.length);
        } else {
            int size = size(utf8.length);
            raw(size == 1 ? Markers.STRING_1 : size == 2 ? Markers.STRING_2 : Markers.STRING_4);
            littleEndian(utf8.length, size);
        }
        out.writeBytes(utf8);
    }

    private void array(JsonNode array) {
        BinaryWriter content = new BinaryWriter();
        array.forEach(content::value);
        container(
                array.size(),
                content.bytes(),
                Markers.ARRAY_EMPTY,
                Markers.ARRAY_COUNTED_1,
                Markers.ARRAY_COUNTED_2,
                Markers.ARRAY_COUNTED_4);
    }

    private void object(JsonNode object) {
        BinaryWriter content = new BinaryWriter();
        object.properties().forEach(property -> {
            content.string(property.getKey());
            content.value(property.getValue());
        });
        container(
                object.size(),
                content.bytes(),
                Markers.OBJECT_EMPTY,
                Markers.OBJECT_COUNTED_1,
                Markers.OBJECT_COUNTED_2,
                Markers.OBJECT_COUNTED_4);
    }

    /** The marker of one value is behind that of none. */
    private void container(int count, byte[] content, int empty, int counted1, int counted2, int counted4) {
        if (count <= 1) {
            raw(empty + count);
        } else {
            int size = size(content.length);
            raw(size == 1 ? counted1 : size == 2 ? counted2 : counted4);
            littleEndian(content.length, size);
            littleEndian(count, size);
        }
        out.writeBytes(content);
    }

    /** How many bytes a length takes. A count is never larger. */
    private static int size(int length) {
        return length <= MAX_1 ? 1 : length <= MAX_2 ? 2 : 4;
    }

    private void littleEndian(long value, int size) {
        for (int i = 0; i < size; i++) {
            raw((int) (value >>> (8 * i)));
        }
    }
}
