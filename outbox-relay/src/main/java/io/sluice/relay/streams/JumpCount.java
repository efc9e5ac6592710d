package io.sluice.relay.streams;

import java.nio.ByteBuffer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * How often a part of the partition's history was skipped. It distinguishes states from before a jump from later ones.
 * Over a store of Kafka Streams; used by one task.
 */
final class JumpCount {
    /** Sorts next to the position of the walk, after the indexes by time. */
    private static final Bytes KEY = Bytes.wrap(new byte[] {(byte) 0x82});

    private static final long NOT_READ = -1;

    private final KeyValueStore<Bytes, byte[]> marks;
    private long count = NOT_READ;

    JumpCount(KeyValueStore<Bytes, byte[]> marks) {
        this.marks = marks;
    }

    long count() {
        if (count == NOT_READ) {
            byte[] kept = marks.get(KEY);
            count = kept == null ? 0 : ByteBuffer.wrap(kept).getLong();
        }
        return count;
    }

    void increment() {
        count = count() + 1;
        marks.put(KEY, ByteBuffer.allocate(Long.BYTES).putLong(count).array());
    }
}
