package io.sluice.emulator.document.binary;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads and writes the service's binary JSON: a first byte that no text begins with, and a value, each value behind a
 * marker of its type. Every form is read but user strings, which refer to a dictionary that is never sent. Source: the
 * readers and writers of the SDKs for .NET and Rust.
 */
public final class BinaryJson {
    private static final int FIRST_BYTE = 0x80;

    private BinaryJson() {}

    /** Whether a body is binary JSON rather than text. */
    public static boolean isBinary(byte[] body) {
        return body.length > 0 && (body[0] & 0xFF) == FIRST_BYTE;
    }

    /**
     * The value in a body of text or of binary JSON.
     *
     * @throws StatusException 400 when it is neither
     */
    public static JsonNode readEither(byte[] body) {
        return isBinary(body) ? read(body) : Json.readValue(body);
    }

    /**
     * The value in a body.
     *
     * @throws StatusException 400 when it is no binary JSON, naming the place
     */
    public static JsonNode read(byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        in.position(1);
        try {
            JsonNode value = new BinaryReader(in).value();
            if (in.hasRemaining()) {
                throw invalid(in.position(), "there are bytes after the end of the value");
            }
            return value;
        } catch (BufferUnderflowException e) {
            throw invalid(body.length, "it ends within a value");
        }
    }

    /** A value as binary JSON. */
    public static byte[] write(JsonNode value) {
        BinaryWriter writer = new BinaryWriter();
        writer.raw(FIRST_BYTE);
        writer.value(value);
        return writer.bytes();
    }

    static StatusException invalid(int at, String fault) {
        return StatusException.badRequest("The input content is invalid binary JSON: " + fault + ", at byte " + at);
    }
}
