package io.sluice.relay.watch;

import io.sluice.program.FailureReason;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The offsets of a consumer group in a topic. Each request uses a new admin client: a client that is kept would hang on
 * a broker that does not answer.
 *
 * @param group of the consumers
 * @param topic that it reads
 */
public record GroupOffsets(KafkaAccess kafka, String group, String topic) implements GroupLag.Offsets {
    private static final Logger LOG = LoggerFactory.getLogger(GroupOffsets.class);
    private static final long TIMEOUT_SECONDS = 10;
    /** For the offsets of all partitions that have a leader. */
    private static final Duration OFFSETS_LIMIT = Duration.ofSeconds(3);
    /** For the search of the first record of a partition. */
    private static final Duration READ_LIMIT = Duration.ofSeconds(5);

    private static final Duration POLL = Duration.ofMillis(200);

    @Override
    public GroupLag.Answer now() throws ExecutionException, TimeoutException, InterruptedException {
        try (var admin = kafka.adminForReading()) {
            return now(admin);
        }
    }

    private GroupLag.Answer now(Admin admin) throws ExecutionException, TimeoutException, InterruptedException {
        var described = admin.describeTopics(List.of(topic)).allTopicNames();
        var committed = admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata();
        var found = described.get(TIMEOUT_SECONDS, TimeUnit.SECONDS).get(topic);
        var partitions = IntStream.range(
                        0, found == null ? 0 : found.partitions().size())
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        var first = offsets(admin, partitions, OffsetSpec.earliest());
        var end = offsets(admin, partitions, OffsetSpec.latest());
        return answer(partitions, first, end, committed.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }

    /** A partition without a leader has no answer, and the others have theirs at once. */
    private static GroupLag.Answer answer(
            List<TopicPartition> partitions,
            ListOffsetsResult first,
            ListOffsetsResult end,
            Map<TopicPartition, @Nullable OffsetAndMetadata> committed)
            throws ExecutionException, TimeoutException, InterruptedException {
        long limitNanos = System.nanoTime() + OFFSETS_LIMIT.toNanos();
        Map<Integer, GroupLag.Offset> known = new HashMap<>();
        Map<Integer, Exception> unknown = new LinkedHashMap<>();
        for (var partition : partitions) {
            try {
                var taken = committed.get(partition);
                // Expired records do not wait, also in a partition of which the group has taken no record.
                long from = offset(first, partition, limitNanos);
                known.put(
                        partition.partition(),
                        new GroupLag.Offset(
                                taken == null ? from : Math.max(from, taken.offset()),
                                offset(end, partition, limitNanos)));
            } catch (ExecutionException | TimeoutException e) {
                unknown.put(partition.partition(), e);
            }
        }
        if (known.isEmpty() && !unknown.isEmpty()) {
            throw new ExecutionException(
                    "no offset of topic " + partitions.get(0).topic() + " is known",
                    unknown.values().iterator().next());
        }
        return new GroupLag.Answer(known, unknown.keySet());
    }

    private static long offset(ListOffsetsResult offsets, TopicPartition partition, long limitNanos)
            throws ExecutionException, TimeoutException, InterruptedException {
        return offsets.partitionResult(partition)
                .get(Math.max(0, limitNanos - System.nanoTime()), TimeUnit.NANOSECONDS)
                .offset();
    }

    @Override
    public OptionalLong firstRecord(int partition, long from, long end) {
        var place = new TopicPartition(topic, partition);
        try (var consumer = kafka.reader()) {
            consumer.assign(List.of(place));
            consumer.seek(place, from);
            long begunNanos = System.nanoTime();
            while (consumer.position(place, READ_LIMIT) < end) {
                var records = consumer.poll(POLL).records(place);
                if (!records.isEmpty()) {
                    return OptionalLong.of(Math.min(end, records.get(0).offset()));
                }
                if (System.nanoTime() - begunNanos > READ_LIMIT.toNanos()) {
                    return OptionalLong.empty();
                }
            }
            return OptionalLong.of(end);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.atDebug()
                    .addKeyValue(LogKeys.TOPIC, topic)
                    .addKeyValue(LogKeys.REASON, FailureReason.of(e))
                    .log("can't find out whether a consumer group has a record to take");
            return OptionalLong.empty();
        }
    }

    private static ListOffsetsResult offsets(Admin admin, List<TopicPartition> partitions, OffsetSpec which) {
        return admin.listOffsets(
                partitions.stream().collect(Collectors.toMap(partition -> partition, partition -> which)),
                new ListOffsetsOptions(IsolationLevel.READ_COMMITTED));
    }
}
