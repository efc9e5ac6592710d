package io.sluice.relay.streams;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Kafka's clients as the streams have them anyway, but that the consumers of the history note where they have to jump.
 */
final class StreamsClients implements KafkaClientSupplier {
    private final HistoryJumps jumps;

    StreamsClients(HistoryJumps jumps) {
        this.jumps = jumps;
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new HistoryConsumer(config, jumps);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return plain(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return plain(config);
    }

    private static Consumer<byte[], byte[]> plain(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /**
     * Streams answer the exception by going to the beginning; without a policy of the topic's own the consumer would go
     * there in silence.
     */
    private static final class HistoryConsumer extends KafkaConsumer<byte[], byte[]> {
        private final HistoryJumps jumps;

        HistoryConsumer(Map<String, Object> config, HistoryJumps jumps) {
            super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            this.jumps = jumps;
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            try {
                var records = super.poll(timeout);
                jumps.read(records);
                return records;
            } catch (InvalidOffsetException e) {
                jumps.jumped(e.partitions());
                throw e;
            }
        }
    }
}
