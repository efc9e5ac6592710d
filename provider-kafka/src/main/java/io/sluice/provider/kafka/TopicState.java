package io.sluice.provider.kafka;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * A topic as it is now.
 *
 * @param id another one for a topic of the same name that was created after the first was deleted
 */
record TopicState(String name, Uuid id, int partitions) {
    List<TopicPartition> all() {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(name, partition))
                .toList();
    }
}
