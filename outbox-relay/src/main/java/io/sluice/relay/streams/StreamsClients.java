package io.sluice.relay.streams;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The default clients of Kafka Streams, except that consumers of the history note where they skip a part of it.
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
     * Streams handle the exception by seeking to the beginning. This needs the reset policy that the topology sets for
     * the topic: by the default policy the consumer would seek there without an exception.
     */
    private static final class HistoryConsumer extends KafkaConsumer<byte[], byte[]> {
        private final HistoryJumps jumps;

        HistoryConsumer(Map<String, Object> config, HistoryJumps jumps) {
            super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            this.jumps = jumps;
        }

        @Override
        public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
            super.subscribe(topics, new Forgetting(jumps, listener));
        }

        @Override
        public void subscribe(Pattern pattern, ConsumerRebalanceListener listener) {
            super.subscribe(pattern, new Forgetting(jumps, listener));
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            try {
                var records = super.poll(timeout);
                jumps.read(records);
                return records;
            } catch (InvalidOffsetException e) {
                jumps.note(e.partitions());
                throw e;
            }
        }
    }
    /**
     * Forgets the jumps in partitions that are assigned to a consumer, before it reads from them. A jump that it noted
     * under an earlier assignment was not processed: the task may even have ended before it began.
     */
    private record Forgetting(HistoryJumps jumps, ConsumerRebalanceListener streams)
            implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            jumps.forget(partitions);
            streams.onPartitionsAssigned(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            streams.onPartitionsRevoked(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            streams.onPartitionsLost(partitions);
        }
    }
}
