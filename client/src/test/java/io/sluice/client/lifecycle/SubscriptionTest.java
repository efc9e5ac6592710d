package io.sluice.client.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SubscriptionTest {
    private static final ReaderConfig ALONE = ReaderConfig.alone("localhost:1", "orders", StartAt.end());
    private static final String TOPIC = ALONE.topic();

    private final Brokers brokers = new Brokers();
    private final Subscription subscription = new Subscription(ALONE, brokers, partitions -> {});

    /** A topic whose brokers may be away; a partition has ten records. */
    private static final class Brokers extends MockConsumer<byte[], byte[]> {
        private int partitions = 1;
        private boolean knowsPartitions = true;
        private boolean knowsOffsets = true;

        Brokers() {
            super("none");
        }

        private static void requireAnswer(boolean answers) {
            if (!answers) {
                throw new TimeoutException("Timeout expired while fetching topic metadata");
            }
        }

        @Override
        public synchronized List<PartitionInfo> partitionsFor(String topic, Duration timeout) {
            requireAnswer(knowsPartitions);
            var nobody = new Node[0];
            return IntStream.range(0, partitions)
                    .mapToObj(number -> new PartitionInfo(topic, number, Node.noNode(), nobody, nobody))
                    .toList();
        }

        @Override
        public synchronized Map<TopicPartition, Long> beginningOffsets(
                Collection<TopicPartition> asked, Duration timeout) {
            requireAnswer(knowsOffsets);
            return asked.stream().collect(Collectors.toMap(Function.identity(), partition -> 0L));
        }

        @Override
        public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> asked) {
            return asked.stream().collect(Collectors.toMap(Function.identity(), partition -> 10L));
        }

        private void beBack() {
            knowsPartitions = true;
            knowsOffsets = true;
        }
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition(TOPIC, number);
    }

    @Test
    void a_reader_alone_outlives_brokers_that_are_away_and_finds_what_was_added_meanwhile() {
        subscription.open();
        brokers.knowsPartitions = false;
        subscription.assignAddedPartitions();
        brokers.partitions = 2;
        brokers.beBack();

        subscription.assignAddedPartitions();

        assertThat(brokers.assignment()).containsExactlyInAnyOrder(partition(0), partition(1));
        assertThat(brokers.position(partition(0))).isEqualTo(10);
        assertThat(brokers.position(partition(1))).isZero();
    }

    @Test
    void an_added_partition_whose_beginning_is_not_known_is_asked_for_again() {
        subscription.open();
        brokers.partitions = 2;
        brokers.knowsOffsets = false;
        subscription.assignAddedPartitions();
        assertThat(brokers.assignment()).containsExactly(partition(0));
        brokers.beBack();

        subscription.assignAddedPartitions();

        assertThat(brokers.position(partition(1)))
                .as("and is not read from the end, where the reader began")
                .isZero();
    }
}
