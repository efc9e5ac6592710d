package io.sluice.relay.streams;

import io.sluice.client.lifecycle.LifecycleJson;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.jspecify.annotations.Nullable;

/** Serializes values of state stores and topics by the client library's JSON. */
final class JsonSerde {
    private JsonSerde() {}

    static <T> Serde<T> of(Class<T> type) {
        return Serdes.serdeFrom((topic, value) -> encode(value), (topic, bytes) -> decode(bytes, type));
    }

    private static byte @Nullable [] encode(@Nullable Object value) {
        return value == null ? null : LifecycleJson.encode(value);
    }

    private static <T> @Nullable T decode(byte @Nullable [] bytes, Class<T> type) {
        return bytes == null ? null : LifecycleJson.decode(bytes, type);
    }
}
