package io.sluice.provider.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits how far the assigned partitions are handled, and the topic's id with it: offsets start again in a topic that
 * is deleted and created again, and a process that has not noticed may commit one of the former. Used by the consumer's
 * thread.
 */
final class OffsetCommits {
    private static final Logger LOG = LoggerFactory.getLogger(OffsetCommits.class);
    private static final long BETWEEN_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration SYNC = Duration.ofSeconds(2);

    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, PartitionProgress> assigned;
    private final String topicId;
    private long dueNanos = System.nanoTime();

    /** @param assigned the reader's own map */
    OffsetCommits(
            Consumer<byte[], byte[]> consumer, Map<TopicPartition, PartitionProgress> assigned, TopicState topic) {
        this.consumer = consumer;
        this.assigned = assigned;
        this.topicId = topic.id().toString();
    }

    /** Whether it was committed for the topic that exists now, and not for one of the same name that was deleted. */
    boolean isOfThisTopic(OffsetAndMetadata committed) {
        return committed.metadata().equals(topicId);
    }

    /** Sends a commit when the last one was a second ago, and does not wait for it. */
    void commitWhenDue() {
        long now = System.nanoTime();
        if (now - dueNanos < 0) {
            return;
        }
        dueNanos = now + BETWEEN_NANOS;
        List<PartitionProgress> committing = List.copyOf(assigned.values());
        Map<TopicPartition, OffsetAndMetadata> offsets = begin(assigned.keySet());
        if (offsets.isEmpty()) {
            return;
        }
        consumer.commitAsync(offsets, (asked, failure) -> {
            if (failure != null) {
                committing.forEach(PartitionProgress::commitFailed);
                LOG.atDebug().setCause(failure).log("offsets could not be committed, will try again");
            }
        });
    }

    /**
     * Commits and waits for the answer. A failure is only logged: the next owner gets announcements again that were
     * handled.
     */
    void commitNow(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> offsets = begin(partitions);
        if (offsets.isEmpty()) {
            return;
        }
        try {
            commit(offsets);
        } catch (KafkaException e) {
            LOG.atInfo()
                    .addKeyValue("partitions", offsets.keySet())
                    .setCause(e)
                    .log("offsets could not be committed, the next owner gets announcements again");
        }
    }

    /** The wakeup of a closing feed ends a call in progress, and only that one. */
    private void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        try {
            consumer.commitSync(offsets, SYNC);
        } catch (WakeupException e) {
            consumer.commitSync(offsets, SYNC);
        }
    }

    private Map<TopicPartition, OffsetAndMetadata> begin(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition partition : partitions) {
            PartitionProgress progress = assigned.get(partition);
            if (progress != null) {
                progress.beginCommit()
                        .ifPresent(offset -> offsets.put(partition, new OffsetAndMetadata(offset, topicId)));
            }
        }
        return offsets;
    }
}
