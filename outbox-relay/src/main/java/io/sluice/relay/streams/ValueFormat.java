package io.sluice.relay.streams;

import io.sluice.client.lifecycle.LifecycleJson;
import org.apache.kafka.common.header.Headers;

/** The format of the values that the streams write to topics; state stores always hold JSON. Thread-safe. */
public interface ValueFormat extends AutoCloseable {
    /** The default. */
    ValueFormat JSON = new ValueFormat() {
        @Override
        public String contentType() {
            return "application/json";
        }

        @Override
        public byte[] encode(String topic, Headers headers, Object value) {
            return LifecycleJson.encode(value);
        }
    };

    /** Media type of the values. */
    String contentType();

    /**
     * A value's bytes.
     *
     * @param headers of its record, to which the form may add its own
     * @param value a record of the client's library
     */
    byte[] encode(String topic, Headers headers, Object value);

    @Override
    default void close() {}
}
