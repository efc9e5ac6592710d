package io.sluice.relay.command;

import io.sluice.relay.command.parse.CommandHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Cuts a poll down to a batch that fits into the memory for commands: the first records of each partition, in all at
 * least one.
 *
 * @param left the first offset of each partition that is left out, to be polled again
 */
record BatchRecords(ConsumerRecords<byte[], byte[]> taken, Map<TopicPartition, Long> left) {
    /** The record, its text, the parsed command, and a dead letter. */
    private static final int COPIES = 4;
    /** Its reply with headers of the maximum length, and its copies in Kafka's client. */
    private static final int REPLY_BYTES = 4 * CommandHeaders.MAX_BYTES;

    /** Takes from the partitions in turn, so that large commands in one leave room for the others. */
    static BatchRecords of(ConsumerRecords<byte[], byte[]> polled, long mostBytes) {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> taken = new HashMap<>();
        Map<TopicPartition, Long> left = new HashMap<>();
        long bytes = 0;
        int rounds = polled.partitions().stream()
                .mapToInt(partition -> polled.records(partition).size())
                .max()
                .orElse(0);
        for (int round = 0; round < rounds; round++) {
            for (var partition : polled.partitions()) {
                var records = polled.records(partition);
                if (round < records.size() && !left.containsKey(partition)) {
                    var message = records.get(round);
                    bytes += bytes(message);
                    if (bytes <= mostBytes || taken.isEmpty()) {
                        taken.computeIfAbsent(partition, first -> new ArrayList<>())
                                .add(message);
                    } else {
                        left.put(partition, message.offset());
                    }
                }
            }
        }
        return new BatchRecords(left.isEmpty() ? polled : new ConsumerRecords<>(taken, next(taken)), left);
    }

    private static long bytes(ConsumerRecord<byte[], byte[]> message) {
        return (long) COPIES * (Math.max(0, message.serializedKeySize()) + Math.max(0, message.serializedValueSize()))
                + REPLY_BYTES;
    }

    private static Map<TopicPartition, OffsetAndMetadata> next(
            Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> taken) {
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        taken.forEach((partition, records) -> next.put(
                partition, new OffsetAndMetadata(records.get(records.size() - 1).offset() + 1)));
        return next;
    }
}
