package io.sluice.emulator.document.hybridrow;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * Writes the numbers and bytes of a HybridRow, least significant byte first, and reads them back. Used by one thread.
 */
final class RowBytes {
    private static final int VAR_BITS = 7;
    private static final int MAX_VAR_BITS = 35;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    RowBytes int8(int value) {
        out.write(value);
        return this;
    }

    RowBytes int32(int value) {
        return int8(value).int8(value >> 8).int8(value >> 16).int8(value >> 24);
    }

    RowBytes int64(long value) {
        return int32((int) value).int32((int) (value >> Integer.SIZE));
    }

    RowBytes varUInt(int value) {
        int rest = value;
        while (rest > Byte.MAX_VALUE) {
            int8(rest | 0x80);
            rest >>= VAR_BITS;
        }
        return int8(rest);
    }

    RowBytes bytes(byte[] value) {
        out.writeBytes(value);
        return this;
    }

    byte[] toArray() {
        return out.toByteArray();
    }

    /** A number of up to 35 bits, seven in each byte. */
    static long varUInt(ByteBuffer in) {
        int at = in.position();
        long value = 0;
        for (int shift = 0; shift < MAX_VAR_BITS; shift += VAR_BITS) {
            byte part = in.get();
            value |= (long) (part & Byte.MAX_VALUE) << shift;
            if (part >= 0) {
                return value;
            }
        }
        throw HybridRow.invalid(at, "a number is too large");
    }

    /** Bytes behind their number. */
    static byte[] counted(ByteBuffer in) {
        int at = in.position();
        long length = varUInt(in);
        if (length > in.remaining()) {
            throw HybridRow.invalid(
                    at, "the length of a value is " + length + ", but " + in.remaining() + " bytes follow");
        }
        var bytes = new byte[(int) length];
        in.get(bytes);
        return bytes;
    }
}
