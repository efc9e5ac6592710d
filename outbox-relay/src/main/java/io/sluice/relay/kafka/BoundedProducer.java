package io.sluice.relay.kafka;

import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer that closes within {@link KafkaAccess#CLOSE_LIMIT}; Kafka's own waits for its unsent records without a
 * limit. Thread-safe.
 */
public final class BoundedProducer extends KafkaProducer<byte[], byte[]> {
    BoundedProducer(Map<String, Object> settings) {
        super(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Fails what is not sent in time. */
    @Override
    public void close() {
        close(KafkaAccess.CLOSE_LIMIT);
    }
}
