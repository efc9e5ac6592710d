package io.sluice.provider.work;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Which of the 256 dispatch slots an instance falls into: the lowest byte of SipHash-1-3 with zero keys over the id's
 * UTF-8 bytes and one byte 0xFF, which is how Rust's standard library hashes a string. No Unicode normalisation.
 */
public final class DispatchSlot {
    /** How many there are. */
    public static final int COUNT = 256;

    private static final byte END_OF_STRING = (byte) 0xFF;

    private DispatchSlot() {}

    /**
     * The slot of an instance, 0 to 255.
     *
     * @throws IllegalArgumentException when the id holds half a surrogate pair
     */
    public static int of(String instanceId) {
        return (int) (hash(instanceId) & (COUNT - 1));
    }

    static long hash(String instanceId) {
        byte[] utf8 = utf8(instanceId);
        byte[] terminated = Arrays.copyOf(utf8, utf8.length + 1);
        terminated[utf8.length] = END_OF_STRING;
        return SipHash13.hash(terminated);
    }

    private static byte[] utf8(String instanceId) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(instanceId));
            byte[] utf8 = new byte[bytes.remaining()];
            bytes.get(utf8);
            return utf8;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("an instance id must be Unicode text, has half a surrogate pair", e);
        }
    }
}
