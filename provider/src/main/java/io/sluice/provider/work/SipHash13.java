package io.sluice.provider.work;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * SipHash with one compression round and three finalisation rounds, both key words zero. Our own, because no small and
 * well-kept library has it: Guava offers 2-4 only, Commons Codec none, and Bouncy Castle, which takes the rounds as
 * parameters, would put eight megabytes of cryptography on every user's class path for these forty lines, which 267
 * vectors hold to Rust's.
 */
final class SipHash13 {
    private static final int FINAL_ROUNDS = 3;

    private long v0 = 0x736f6d6570736575L;
    private long v1 = 0x646f72616e646f6dL;
    private long v2 = 0x6c7967656e657261L;
    private long v3 = 0x7465646279746573L;

    private SipHash13() {}

    static long hash(byte[] input) {
        return new SipHash13().digest(input);
    }

    private long digest(byte[] input) {
        ByteBuffer words = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        while (words.remaining() >= Long.BYTES) {
            compress(words.getLong());
        }
        long last = (long) input.length << 56;
        for (int shift = 0; words.hasRemaining(); shift += Byte.SIZE) {
            last |= (words.get() & 0xFFL) << shift;
        }
        compress(last);
        v2 ^= 0xFF;
        for (int i = 0; i < FINAL_ROUNDS; i++) {
            round();
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private void compress(long word) {
        v3 ^= word;
        round();
        v0 ^= word;
    }

    private void round() {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
    }
}
