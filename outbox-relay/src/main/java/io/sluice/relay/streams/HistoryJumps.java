package io.sluice.relay.streams;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the streams' consumers had to jump over a part of the history: what they were to read next had expired, or
 * nobody knows any more how far they had read. Noted by the consumers, taken by the tasks of their partitions.
 * Thread-safe.
 */
final class HistoryJumps {
    private static final long NOTHING_YET = -1;

    private final String history;
    /** By partition the first record that was read after the jump. */
    private final Map<Integer, Long> firstAfter = new ConcurrentHashMap<>();

    HistoryJumps(String history) {
        this.history = history;
    }

    /** A consumer can't go on in these partitions but from their beginning. */
    void jumped(Collection<TopicPartition> partitions) {
        for (var each : partitions) {
            if (each.topic().equals(history)) {
                firstAfter.put(each.partition(), NOTHING_YET);
            }
        }
    }

    /** What a consumer got: of a partition in which it jumped it begins behind the jump. */
    void read(ConsumerRecords<?, ?> records) {
        if (firstAfter.containsValue(NOTHING_YET)) {
            for (var partition : records.partitions()) {
                read(partition, records.records(partition).get(0).offset());
            }
        }
    }

    private void read(TopicPartition partition, long offset) {
        if (partition.topic().equals(history)) {
            firstAfter.replace(partition.partition(), NOTHING_YET, offset);
        }
    }

    /**
     * Whether this record is the first behind a jump; what was read before it may still be processed after the jump was
     * noted.
     */
    boolean takeAt(int partition, long offset) {
        return firstAfter.remove(partition, offset);
    }

    /** These partitions are given to a consumer: if nothing was committed behind an earlier jump, the consumer meets and notes it again. */
    void forget(Collection<TopicPartition> partitions) {
        for (var each : partitions) {
            if (each.topic().equals(history)) {
                firstAfter.remove(each.partition());
            }
        }
    }

    /** Whether there was a jump behind which nothing was to be read yet. */
    boolean takeAtEnd(int partition) {
        return firstAfter.remove(partition, NOTHING_YET);
    }
}
