package io.sluice.relay.streams;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * An index of instances by a time, to find the instances before a moment without a scan. Several indexes share one
 * store of Kafka Streams; used by one task.
 */
final class TimeIndex {
    /** Greater than the first byte of any time, as no time is negative. */
    private static final byte OF_ENDED = (byte) 0x80;

    private static final byte[] NOTHING = new byte[0];

    private final KeyValueStore<Bytes, byte[]> store;
    private final byte[] prefix;

    private TimeIndex(KeyValueStore<Bytes, byte[]> store, byte... prefix) {
        this.store = store;
        this.prefix = prefix;
    }

    /** An instance and its time. */
    record Entry(long millis, String instance) {}

    /**
     * The running instances, by the time when the latest event of each was read. Keys have no prefix, as in earlier
     * versions.
     */
    static TimeIndex ofRunning(KeyValueStore<Bytes, byte[]> store) {
        return new TimeIndex(store);
    }

    /** The ended instances, by the time when the end was read. */
    static TimeIndex ofEnded(KeyValueStore<Bytes, byte[]> store) {
        return new TimeIndex(store, OF_ENDED);
    }

    void put(String instance, long millis) {
        store.put(key(millis, instance), NOTHING);
    }

    void remove(String instance, long millis) {
        store.delete(key(millis, instance));
    }

    boolean has(String instance, long millis) {
        return store.get(key(millis, instance)) != null;
    }

    /** Some of the instances before a time, the earliest first. */
    List<Entry> before(long millis, int atMost) {
        var earliest = new ArrayList<Entry>();
        try (var entries = store.range(key(0, ""), key(millis, ""))) {
            while (entries.hasNext() && earliest.size() < atMost) {
                earliest.add(entry(entries.next().key));
            }
        }
        return earliest;
    }

    private Bytes key(long millis, String instance) {
        byte[] name = instance.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(prefix.length + Long.BYTES + name.length)
                .put(prefix)
                .putLong(Math.max(0, millis))
                .put(name)
                .array());
    }

    private Entry entry(Bytes key) {
        var bytes = ByteBuffer.wrap(key.get());
        bytes.position(prefix.length);
        long millis = bytes.getLong();
        return new Entry(millis, StandardCharsets.UTF_8.decode(bytes).toString());
    }
}
