package io.sluice.client.lifecycle;

/**
 * Reads the values of {@code <prefix>.statistics} in a consumer or a streams application of your own; can be named in
 * {@code value.deserializer}. A later record of a key replaces an earlier one. Any other value is a
 * {@link org.apache.kafka.common.errors.SerializationException}. Thread-safe.
 */
public final class OrchestrationStatisticsDeserializer extends ValueDeserializer<OrchestrationStatistics> {
    /** As Kafka makes it by its name. */
    public OrchestrationStatisticsDeserializer() {
        super(value -> LifecycleJson.decode(value, OrchestrationStatistics.class));
    }
}
