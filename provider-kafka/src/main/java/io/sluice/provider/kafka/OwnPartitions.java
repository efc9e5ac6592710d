package io.sluice.provider.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;

/** The partitions that the group gave to this process. Written by one thread, read by any. */
final class OwnPartitions {
    private volatile Assigned assigned = new Assigned(1, Set.of());

    /** @param ofTopic how many partitions the topic has */
    void set(Collection<TopicPartition> partitions, int ofTopic) {
        assigned = new Assigned(
                ofTopic, partitions.stream().map(TopicPartition::partition).collect(Collectors.toUnmodifiableSet()));
    }

    /** Whether announcements with this key come here. Relays leave the choice of the partition to Kafka's producer. */
    boolean isOwn(String key) {
        Assigned now = assigned;
        if (now.partitions.isEmpty()) {
            return false;
        }
        int hash = Utils.toPositive(Utils.murmur2(key.getBytes(StandardCharsets.UTF_8)));
        return now.partitions.contains(hash % now.ofTopic);
    }

    private record Assigned(int ofTopic, Set<Integer> partitions) {}
}
