package io.sluice.emulator.store;

import java.nio.ByteBuffer;
import java.util.Base64;

/** Resource ids ({@code _rid}) in the layout the SDKs parse: 4 bytes database, 4 container, 8 item or range. */
final class ResourceIds {
    private static final int CONTAINER_BIT = 0x80000000;
    private static final long RANGE_TYPE = 0x5L << 4;

    private ResourceIds() {}

    static String database(int number) {
        return encode(ByteBuffer.allocate(4).putInt(number).array());
    }

    static String container(int database, int container) {
        return encode(ByteBuffer.allocate(8)
                .putInt(database)
                .putInt(container | CONTAINER_BIT)
                .array());
    }

    /** Items count in little-endian order: the SDK compares them so when it resumes a sorted query. */
    static String item(String containerRid, long number) {
        return child(containerRid, Long.reverseBytes(number));
    }

    static String range(String containerRid, int index) {
        return child(containerRid, Long.reverseBytes(index + 1L) | RANGE_TYPE);
    }

    /** Offers have three bytes. */
    static String offer(int number) {
        return encode(new byte[] {(byte) (number >>> 16), (byte) (number >>> 8), (byte) number});
    }

    private static String child(String parentRid, long value) {
        var parent = Base64.getDecoder().decode(parentRid.replace('-', '/'));
        return encode(ByteBuffer.allocate(16).put(parent).putLong(value).array());
    }

    private static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes).replace('/', '-');
    }
}
