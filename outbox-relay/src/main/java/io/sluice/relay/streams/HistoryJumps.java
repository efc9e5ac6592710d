package io.sluice.relay.streams;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * The places where the consumers of the streams had to skip a part of the history: the next records had expired, or the
 * committed offset was lost. Consumers note a jump, the task of the partition takes it. Thread-safe.
 */
final class HistoryJumps {
    private static final long NOTHING_YET = -1;

    private final String history;
    /** The offset of the first record after the jump, by partition. */
    private final Map<Integer, Long> firstAfter = new ConcurrentHashMap<>();

    HistoryJumps(String history) {
        this.history = history;
    }

    /** Notes that a consumer has to restart these partitions from their beginning. */
    void note(Collection<TopicPartition> partitions) {
        ofHistory(partitions).forEach(partition -> firstAfter.put(partition, NOTHING_YET));
    }

    /** Notes the first records that a consumer reads after a jump. */
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
     * Takes the jump before this record, if there is one. Earlier records may still be processed after a jump was
     * noted.
     */
    boolean takeAt(int partition, long offset) {
        return firstAfter.remove(partition, offset);
    }

    /**
     * Forgets the jumps in partitions that are assigned to a consumer. If no offset behind a jump was committed, the
     * consumer meets and notes it again.
     */
    void forget(Collection<TopicPartition> partitions) {
        ofHistory(partitions).forEach(firstAfter::remove);
    }

    /** Takes a jump after which no record was read yet, if there is one. */
    boolean takeAtEnd(int partition) {
        return firstAfter.remove(partition, NOTHING_YET);
    }

    private Stream<Integer> ofHistory(Collection<TopicPartition> partitions) {
        return partitions.stream()
                .filter(partition -> partition.topic().equals(history))
                .map(TopicPartition::partition);
    }
}
