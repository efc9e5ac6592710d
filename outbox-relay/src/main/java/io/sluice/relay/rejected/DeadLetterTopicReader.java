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

/** Reads pieces of the dead letter topic, committed records only, by a client of its own. Belongs to one thread. */
final class DeadLetterTopicReader implements AutoCloseable {
    /**
     * Records of a partition that are looked at, from its end, so that a look costs no more however much the topic
     * holds.
     */
    static final long LOOKED_AT = 10_000;
    /** Beyond the longest time that a transaction may stay open. */
    private static final Duration PATIENCE = KafkaAccess.TRANSACTION_TIMEOUT.plusSeconds(5);

    /** For what brokers know without waiting for anybody. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final Duration POLL = Duration.ofMillis(200);

    private final String topic;
    private final Consumer<byte[], byte[]> consumer;

    /** Where a partition begins and ends: nothing at the end or beyond it is committed. */
    record Extent(long begin, long end) {
        /** Where the records begin that are looked at. */
        long from() {
            return Math.max(begin, end - LOOKED_AT);
        }

        /** Records, at most, that are older than these. */
        long notLookedAt() {
            return from() - begin;
        }
    }

    DeadLetterTopicReader(KafkaAccess kafka, String topic) {
        this.topic = topic;
        this.consumer = kafka.reader();
    }

    /**
     * Of every partition.
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
        long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
        while (consumer.position(place, TIMEOUT) < to) {
            var records = consumer.poll(POLL).records(place);
            records.stream().filter(record -> record.offset() < to).forEach(listener);
            if (!records.isEmpty()) {
                deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
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
