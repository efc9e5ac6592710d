package io.sluice.relay.streams;

import io.sluice.client.lifecycle.LifecycleJson;
import org.apache.kafka.common.header.Headers;

/** In which form what streams tell is written into topics; what they know is kept in JSON all the same. Thread-safe. */
public interface ValueForm extends AutoCloseable {
    /** What is written when nothing else is said. */
    ValueForm JSON = new ValueForm() {
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
