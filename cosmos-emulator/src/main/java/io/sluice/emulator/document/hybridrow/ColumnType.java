package io.sluice.emulator.document.hybridrow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import io.sluice.emulator.document.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The types that columns of batches have. A column of {@link #TRUE} can also be {@link #FALSE}. */
enum ColumnType {
    FALSE(2),
    TRUE(3),
    INT32(7),
    UINT32(11),
    FLOAT64(16),
    UTF8(20),
    BINARY(21);

    private final int code;

    ColumnType(int code) {
        this.code = code;
    }

    /** The type that a value in a sparse column of this type has by its code; null when it can't have it. */
    @Nullable
    ColumnType ofCode(int value) {
        if (value == code) {
            return this;
        }
        return this == TRUE && value == FALSE.code ? FALSE : null;
    }

    int codeOf(JsonNode value) {
        return this == TRUE && !value.booleanValue() ? FALSE.code : code;
    }

    JsonNode read(ByteBuffer in) {
        return switch (this) {
            case FALSE, TRUE -> Json.nodes().booleanNode(this == TRUE);
            case INT32 -> Json.nodes().numberNode(in.getInt());
            case UINT32 -> Json.nodes().numberNode(Integer.toUnsignedLong(in.getInt()));
            case FLOAT64 -> Json.nodes().numberNode(in.getDouble());
            case UTF8 -> Json.nodes().textNode(text(in));
            case BINARY -> Json.nodes().binaryNode(RowBytes.counted(in));
        };
    }

    void write(JsonNode value, RowBytes out) {
        switch (this) {
            case FALSE, TRUE -> {}
            case INT32, UINT32 -> out.int32((int) value.longValue());
            case FLOAT64 -> out.int64(Double.doubleToLongBits(value.doubleValue()));
            case UTF8 -> counted(value.textValue().getBytes(StandardCharsets.UTF_8), out);
            case BINARY -> counted(((BinaryNode) value).binaryValue(), out);
        }
    }

    private static void counted(byte[] bytes, RowBytes out) {
        out.varUInt(bytes.length).bytes(bytes);
    }

    private static String text(ByteBuffer in) {
        int at = in.position();
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(RowBytes.counted(in)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw HybridRow.invalid(at, "a text is not UTF-8");
        }
    }
}
