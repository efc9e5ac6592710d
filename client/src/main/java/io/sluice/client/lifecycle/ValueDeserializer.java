package io.sluice.client.lifecycle;

import java.util.function.Function;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Reads the values of one topic. A tombstone is null. Thread-safe. */
abstract class ValueDeserializer<T> implements Deserializer<T> {
    private final Function<byte[], T> read;

    ValueDeserializer(Function<byte[], T> read) {
        this.read = read;
    }

    @Override
    public @Nullable T deserialize(String topic, byte @Nullable [] value) {
        try {
            return value == null ? null : read.apply(value);
        } catch (IllegalArgumentException e) {
            // Kafka adds topic, partition and offset; nothing quotes the value.
            throw new SerializationException(e.getMessage() + ", in topic " + topic, e);
        }
    }
}
