package io.sluice.client;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** An interceptor of Kafka's that ends the first poll with records by an error, once it is armed. */
public final class BreaksOnce implements ConsumerInterceptor<byte[], byte[]>, ProducerInterceptor<byte[], byte[]> {
    static final AtomicBoolean ARMED = new AtomicBoolean();

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        if (!records.isEmpty() && ARMED.compareAndSet(true, false)) {
            throw new StackOverflowError("in an interceptor");
        }
        return records;
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> message) {
        return message;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void onAcknowledgement(@Nullable RecordMetadata metadata, @Nullable Exception failure) {}

    @Override
    public void configure(Map<String, ?> settings) {}

    @Override
    public void close() {}
}
