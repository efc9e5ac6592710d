package io.sluice.provider.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

class OffsetCommitsTest {
    private static final TopicPartition PARTITION = new TopicPartition("turns", 0);

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");

    private OffsetCommits commits(Uuid topicId, PartitionProgress progress) {
        return new OffsetCommits(consumer, Map.of(PARTITION, progress), new TopicState(PARTITION.topic(), topicId, 1));
    }

    /** What a process commits that has passed over the first record. */
    private OffsetAndMetadata committedTo(Uuid topicId) {
        var progress = new PartitionProgress(0, 0);
        progress.passOver(0);
        consumer.assign(List.of(PARTITION));
        commits(topicId, progress).commitNow(List.of(PARTITION));
        return Objects.requireNonNull(consumer.committed(Set.of(PARTITION)).get(PARTITION), "not committed");
    }

    @Test
    void an_offset_is_of_the_topic_that_it_was_committed_for() {
        Uuid topic = Uuid.randomUuid();

        OffsetAndMetadata committed = committedTo(topic);

        assertThat(committed.offset()).isEqualTo(1);
        assertThat(commits(topic, new PartitionProgress(1, 1)).isOfThisTopic(committed))
                .isTrue();
    }

    @Test
    void an_offset_is_not_of_another_topic_of_the_same_name() {
        OffsetAndMetadata committed = committedTo(Uuid.randomUuid());

        assertThat(commits(Uuid.randomUuid(), new PartitionProgress(0, 0)).isOfThisTopic(committed))
                .isFalse();
    }
}
