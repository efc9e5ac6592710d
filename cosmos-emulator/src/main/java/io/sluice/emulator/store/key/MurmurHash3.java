package io.sluice.emulator.store.key;

/** The two Murmur hashes of Cosmos DB's hash partitioning, both with seed 0. */
final class MurmurHash3 {
    private static final long C1 = 0x87c37b91114253d5L;
    private static final long C2 = 0x4cf5ad432745937fL;
    private static final int D1 = 0xcc9e2d51;
    private static final int D2 = 0x1b873593;

    private MurmurHash3() {}

    /** The x64 128-bit hash, most significant byte first as the effective partition key writes it. */
    static byte[] hash128(byte[] bytes) {
        long h1 = 0;
        long h2 = 0;
        int position = 0;
        for (; position + 16 <= bytes.length; position += 16) {
            h1 ^= mixFirst(littleEndian(bytes, position, 8));
            h1 = (Long.rotateLeft(h1, 27) + h2) * 5 + 0x52dce729;
            h2 ^= mixSecond(littleEndian(bytes, position + 8, 8));
            h2 = (Long.rotateLeft(h2, 31) + h1) * 5 + 0x38495ab5;
        }
        int rest = bytes.length - position;
        if (rest > 8) {
            h2 ^= mixSecond(littleEndian(bytes, position + 8, rest - 8));
        }
        if (rest > 0) {
            h1 ^= mixFirst(littleEndian(bytes, position, Math.min(rest, 8)));
        }
        h1 ^= bytes.length;
        h2 ^= bytes.length;
        h1 += h2;
        h2 += h1;
        h1 = finish(h1);
        h2 = finish(h2);
        h1 += h2;
        h2 += h1;
        return bigEndian(h2, h1);
    }

    /** The 32-bit hash of the first version of hash partitioning. */
    static int hash32(byte[] bytes) {
        int h = 0;
        int position = 0;
        for (; position + 4 <= bytes.length; position += 4) {
            h ^= mix32((int) littleEndian(bytes, position, 4));
            h = Integer.rotateLeft(h, 13) * 5 + 0xe6546b64;
        }
        if (position < bytes.length) {
            h ^= mix32((int) littleEndian(bytes, position, bytes.length - position));
        }
        h ^= bytes.length;
        h ^= h >>> 16;
        h *= 0x85ebca6b;
        h ^= h >>> 13;
        h *= 0xc2b2ae35;
        return h ^ (h >>> 16);
    }

    private static long mixFirst(long k) {
        return Long.rotateLeft(k * C1, 31) * C2;
    }

    private static long mixSecond(long k) {
        return Long.rotateLeft(k * C2, 33) * C1;
    }

    private static int mix32(int k) {
        return Integer.rotateLeft(k * D1, 15) * D2;
    }

    private static long finish(long h) {
        long mixed = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }

    private static long littleEndian(byte[] bytes, int from, int count) {
        long value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = value << 8 | (bytes[from + i] & 0xff);
        }
        return value;
    }

    private static byte[] bigEndian(long high, long low) {
        var bytes = new byte[16];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte) (high >>> (56 - 8 * i));
            bytes[8 + i] = (byte) (low >>> (56 - 8 * i));
        }
        return bytes;
    }
}
