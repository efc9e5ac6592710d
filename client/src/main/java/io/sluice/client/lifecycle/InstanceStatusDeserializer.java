package io.sluice.client.lifecycle;

/**
 * Reads the values of {@code <prefix>.status} in a consumer or a streams application of your own; can be named in
 * {@code value.deserializer}. A tombstone, null, says that the instance was deleted. Any other value is a
 * {@link org.apache.kafka.common.errors.SerializationException}. Thread-safe.
 */
public final class InstanceStatusDeserializer extends ValueDeserializer<InstanceStatus> {
    /** As Kafka makes it by its name. */
    public InstanceStatusDeserializer() {
        super(value -> LifecycleJson.decode(value, InstanceStatus.class));
    }
}
