package io.sluice.relay.rejected;

import io.sluice.relay.kafka.KafkaAccess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Reads ranges of offsets of the dead letter topic, committed records only, with a client of its own. For one thread.
 */
final class DeadLetterTopicReader implements AutoCloseable {
    /**
     * The latest records of a partition that are read, so that the cost does not grow with the topic.
     */
    static final long MAX_READ = 10_000;
    /** Longer than a transaction may stay open. */
    private static final Duration READ_TIMEOUT = KafkaAccess.TRANSACTION_TIMEOUT.plusSeconds(5);

    /** For requests that brokers answer without a wait. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final Duration POLL = Duration.ofMillis(200);

    private final String topic;
    private final Consumer<byte[], byte[]> consumer;

    /** The first offset of a partition, and the offset after its last committed record. */
    record Extent(long begin, long end) {
        /** The first offset that is read. */
        long from() {
            return Math.max(begin, end - MAX_READ);
        }

        /** The number of offsets before that one. */
        long notRead() {
            return from() - begin;
        }
    }

    DeadLetterTopicReader(KafkaAccess kafka, String topic) {
        this.topic = topic;
        this.consumer = kafka.reader();
    }

    /**
     * The offsets of every partition.
     *
     * @throws UnknownTopicOrPartitionException when the topic is missing
     */
    Map<Integer, Extent> extents() {
        var partitions = consumer.partitionsFor(topic, TIMEOUT).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        if (partitions.isEmpty()) {
            throw new UnknownTopicOrPartitionException(
                    "topic " + topic + " is missing; check SLUICE_PREFIX, or run provision");
        }
        // Of partitions that are not assigned the client warns that it can't note their offsets.
        consumer.assign(partitions);
        var begins = consumer.beginningOffsets(partitions, TIMEOUT);
        return consumer.endOffsets(partitions, TIMEOUT).entrySet().stream()
                .collect(Collectors.toMap(
                        end -> end.getKey().partition(),
                        end -> new Extent(begins.getOrDefault(end.getKey(), 0L), end.getValue())));
    }

    /**
     * Reads from an offset up to another, in order.
     *
     * @throws TimeoutException when the end isn't reached in time, as while a transaction is open
     */
    void read(int partition, long from, long to, java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> listener) {
        var place = new TopicPartition(topic, partition);
        consumer.assign(List.of(place));
        consumer.seek(place, from);
        long deadlineNanos = System.nanoTime() + READ_TIMEOUT.toNanos();
        while (consumer.position(place, TIMEOUT) < to) {
            var records = consumer.poll(POLL).records(place);
            records.stream().filter(record -> record.offset() < to).forEach(listener);
            if (!records.isEmpty()) {
                deadlineNanos = System.nanoTime() + READ_TIMEOUT.toNanos();
            } else if (System.nanoTime() - deadlineNanos > 0) {
                throw new TimeoutException("partition " + partition + " of " + topic + " was not read up to " + to);
            }
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
