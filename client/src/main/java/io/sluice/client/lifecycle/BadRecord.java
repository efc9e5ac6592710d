package io.sluice.client.lifecycle;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A record of the topic that is no lifecycle event.
 *
 * @param message as it came, with its headers and its place
 * @param reason for people; quotes nothing of the value
 */
public record BadRecord(ConsumerRecord<byte[], byte[]> message, String reason) {
    /** Topic, partition and offset. */
    public String place() {
        return message.topic() + "-" + message.partition() + "@" + message.offset();
    }
}
