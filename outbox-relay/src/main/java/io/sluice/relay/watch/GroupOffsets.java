package io.sluice.relay.watch;

import io.sluice.relay.ops.KafkaAccess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a group is in a topic, asked by an admin client of its own each time: one that was kept would hang on the broker that it knows.
 *
 * @param group of the consumers
 * @param topic that it reads
 */
public record GroupOffsets(KafkaAccess kafka, String group, String topic) implements GroupLag.Offsets {
    private static final long TIMEOUT_SECONDS = 10;

    @Override
    public Map<Integer, GroupLag.Offset> now() throws ExecutionException, TimeoutException, InterruptedException {
        try (var admin = kafka.admin()) {
            return now(admin);
        }
    }

    private Map<Integer, GroupLag.Offset> now(Admin admin)
            throws ExecutionException, TimeoutException, InterruptedException {
        var described = admin.describeTopics(List.of(topic))
                .allTopicNames()
                .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .get(topic);
        int partitions = described == null ? 0 : described.partitions().size();
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        var end = admin.listOffsets(ends, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all()
                .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        var taken = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        var offsets = new HashMap<Integer, GroupLag.Offset>();
        end.forEach((partition, last) -> {
            var committed = taken.get(partition);
            offsets.put(
                    partition.partition(),
                    new GroupLag.Offset(committed == null ? 0 : committed.offset(), last.offset()));
        });
        return offsets;
    }
}
