package io.sluice.emulator.http;

import io.netty.buffer.ByteBuf;
import io.sluice.emulator.document.StatusException;
import java.util.Arrays;

/** A request's body as it comes in. It is cut off before it fills the memory. Used by one thread at a time. */
final class RequestBody {
    private static final int MAX_BYTES = 5 * 1024 * 1024;

    private byte[] bytes;
    private int size;

    /** @param announced how many bytes the request says it has, 0 where it does not say */
    RequestBody(int announced) {
        bytes = new byte[Math.max(0, Math.min(announced, MAX_BYTES))];
    }

    /**
     * Takes what has come.
     *
     * @throws StatusException 413 when it is too much
     */
    RequestBody append(ByteBuf part) {
        int length = part.readableBytes();
        if (length > MAX_BYTES - size) {
            throw StatusException.tooLarge("Request size is too large: over " + MAX_BYTES + " bytes.");
        }
        if (length > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.min(MAX_BYTES, Math.max(size + length, 2 * size)));
        }
        part.readBytes(bytes, size, length);
        size += length;
        return this;
    }

    /** All of it; nothing is appended after this. */
    byte[] bytes() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }
}
