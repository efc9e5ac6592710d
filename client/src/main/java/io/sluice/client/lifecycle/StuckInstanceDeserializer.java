package io.sluice.client.lifecycle;

/**
 * Reads the values of {@code <prefix>.stuck} in a consumer or a streams application of your own; can be named in
 * {@code value.deserializer}. A tombstone, null, says that the instance moves again. Any other value is a
 * {@link org.apache.kafka.common.errors.SerializationException}. Thread-safe.
 */
public final class StuckInstanceDeserializer extends ValueDeserializer<StuckInstance> {
    /** As Kafka makes it by its name. */
    public StuckInstanceDeserializer() {
        super(value -> LifecycleJson.decode(value, StuckInstance.class));
    }
}
