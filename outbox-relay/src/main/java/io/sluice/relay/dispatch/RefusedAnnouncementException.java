package io.sluice.relay.dispatch;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Kafka did not take an announcement. */
final class RefusedAnnouncementException extends KafkaException {
    private static final long serialVersionUID = 1L;

    private final transient ProducerRecord<byte[], byte[]> announcement;

    RefusedAnnouncementException(ProducerRecord<byte[], byte[]> announcement, ExecutionException failure) {
        super("work could not be announced: " + failure.getCause(), failure.getCause());
        this.announcement = announcement;
    }

    /** Which one: others of its page may go to partitions that are well. */
    ProducerRecord<byte[], byte[]> announcement() {
        return announcement;
    }
}
