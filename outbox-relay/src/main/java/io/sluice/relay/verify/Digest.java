package io.sluice.relay.verify;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The first 128 bits of a SHA-256: what is kept of a value. */
record Digest(long high, long low) {
    static final int BYTES = 16;

    /** Of what can't be compared. */
    static final Digest NONE = new Digest(0, 0);

    static Digest of(byte[] value) {
        try {
            return read(ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(value)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static Digest read(ByteBuffer from) {
        return new Digest(from.getLong(), from.getLong());
    }

    void write(ByteBuffer to) {
        to.putLong(high).putLong(low);
    }
}
