package io.sluice.relay.streams;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The running instances in the order in which they were last heard of, so that finding the silent ones does not cost a look
 * at all. Over a store of Kafka Streams; used by one task.
 */
final class Silence {
    private static final byte[] NOTHING = new byte[0];

    private final KeyValueStore<Bytes, byte[]> store;

    Silence(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    void heard(String instance, long millis) {
        store.put(key(millis, instance), NOTHING);
    }

    void forget(String instance, long heardMillis) {
        store.delete(key(heardMillis, instance));
    }

    /** Some of the instances last heard of before a time, the longest silent first. */
    List<String> since(long millis, int atMost) {
        var silent = new ArrayList<String>();
        try (var entries = store.range(key(0, ""), key(millis, ""))) {
            while (entries.hasNext() && silent.size() < atMost) {
                silent.add(instance(entries.next().key));
            }
        }
        return silent;
    }

    private static Bytes key(long millis, String instance) {
        byte[] name = instance.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(Long.BYTES + name.length)
                .putLong(Math.max(0, millis))
                .put(name)
                .array());
    }

    private static String instance(Bytes key) {
        byte[] bytes = key.get();
        return new String(bytes, Long.BYTES, bytes.length - Long.BYTES, StandardCharsets.UTF_8);
    }
}
