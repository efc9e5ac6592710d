package io.sluice.emulator.store;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.OptionalLong;

/** Resource ids ({@code _rid}) in the layout the SDKs parse: 4 bytes database, 4 container, 8 item or range. */
final class ResourceIds {
    private static final int CONTAINER_BYTES = 8;
    private static final int ITEM_BYTES = 16;
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

    /** The number of an item; empty for what is no resource id of this container's items. */
    static OptionalLong itemNumber(String containerRid, String itemRid) {
        try {
            var bytes = ByteBuffer.wrap(decode(itemRid));
            boolean isItem = bytes.capacity() == ITEM_BYTES && itemRid.equals(item(containerRid, numberIn(bytes)));
            return isItem ? OptionalLong.of(numberIn(bytes)) : OptionalLong.empty();
        } catch (IllegalArgumentException e) {
            return OptionalLong.empty();
        }
    }

    private static long numberIn(ByteBuffer item) {
        return Long.reverseBytes(item.getLong(CONTAINER_BYTES));
    }

    static String range(String containerRid, int index) {
        return child(containerRid, Long.reverseBytes(index + 1L) | RANGE_TYPE);
    }

    /** Offers have three bytes. */
    static String offer(int number) {
        return encode(new byte[] {(byte) (number >>> 16), (byte) (number >>> 8), (byte) number});
    }

    private static String child(String parentRid, long value) {
        return encode(ByteBuffer.allocate(ITEM_BYTES)
                .put(decode(parentRid))
                .putLong(value)
                .array());
    }

    private static byte[] decode(String rid) {
        return Base64.getDecoder().decode(rid.replace('-', '/'));
    }

    private static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes).replace('/', '-');
    }
}
