package io.sluice.relay.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BatchRecordsTest {
    private static final TopicPartition FIRST = new TopicPartition("commands", 0);
    private static final TopicPartition SECOND = new TopicPartition("commands", 1);
    private static final int LARGE = 1_000_000;
    private static final long ROOM_FOR_FOUR = 17L * LARGE;

    private static ConsumerRecords<byte[], byte[]> polled(int first, int second, int bytes) {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new LinkedHashMap<>();
        records.put(FIRST, records(FIRST, first, bytes));
        records.put(SECOND, records(SECOND, second, bytes));
        return new ConsumerRecords<>(records, Map.of());
    }

    private static List<ConsumerRecord<byte[], byte[]>> records(TopicPartition partition, int count, int bytes) {
        return IntStream.range(0, count)
                .mapToObj(offset -> new ConsumerRecord<>(
                        partition.topic(),
                        partition.partition(),
                        100L + offset,
                        0L,
                        TimestampType.CREATE_TIME,
                        0,
                        bytes,
                        new byte[0],
                        new byte[0],
                        new RecordHeaders(),
                        Optional.empty()))
                .toList();
    }

    private static List<Long> offsets(BatchRecords batch, TopicPartition partition) {
        return batch.taken().records(partition).stream()
                .map(ConsumerRecord::offset)
                .toList();
    }

    @Test
    void what_has_room_is_taken_whole() {
        var polled = polled(200, 200, 1_000);

        var batch = BatchRecords.of(polled, ROOM_FOR_FOUR);

        assertThat(batch.taken()).isSameAs(polled);
        assertThat(batch.left()).isEmpty();
    }

    @Test
    void large_ones_are_taken_from_all_partitions_in_order_and_the_rest_is_left() {
        var batch = BatchRecords.of(polled(5, 3, LARGE), ROOM_FOR_FOUR);

        assertThat(offsets(batch, FIRST)).containsExactly(100L, 101L);
        assertThat(offsets(batch, SECOND)).containsExactly(100L, 101L);
        assertThat(batch.left()).containsOnly(Map.entry(FIRST, 102L), Map.entry(SECOND, 102L));
    }

    @Test
    void one_that_is_larger_than_all_room_is_taken_alone() {
        var batch = BatchRecords.of(polled(2, 1, 10 * LARGE), ROOM_FOR_FOUR);

        assertThat(batch.taken().count()).isEqualTo(1);
        assertThat(offsets(batch, FIRST)).containsExactly(100L);
        assertThat(batch.left()).containsOnly(Map.entry(FIRST, 101L), Map.entry(SECOND, 100L));
    }
}
