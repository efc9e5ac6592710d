package io.sluice.client.lifecycle;

/**
 * Reads the values of {@code <prefix>.lifecycle} in a consumer or a streams application of your own; can be named in
 * {@code value.deserializer}. Facts of a type that this version does not know are {@link Fact.Unknown}. What is no such
 * record is a {@link org.apache.kafka.common.errors.SerializationException}. Thread-safe.
 */
public final class LifecycleEventDeserializer extends ValueDeserializer<LifecycleEvent> {
    /** As Kafka makes it by its name. */
    public LifecycleEventDeserializer() {
        super(LifecycleJson::event);
    }
}
