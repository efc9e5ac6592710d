package io.sluice.provider.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads announcements of turns as a member of a consumer group, and commits up to the first one that is not handled.
 * Used by one thread.
 */
final class TurnReader implements TopicReader, ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(TurnReader.class);
    private static final Duration POLL = Duration.ofMillis(100);

    private final SubscriptionTarget target;
    private final Consumer<byte[], byte[]> consumer;
    private final int mostUnhandled;
    private final OffsetCommits commits;
    private final OwnPartitions own;
    private final TopicState topic;
    private final Map<TopicPartition, PartitionProgress> assigned = new HashMap<>();
    private boolean isMember;

    private TurnReader(
            SubscriptionTarget target,
            Consumer<byte[], byte[]> consumer,
            int mostUnhandled,
            OwnPartitions own,
            TopicState topic) {
        this.target = target;
        this.consumer = consumer;
        this.mostUnhandled = mostUnhandled;
        this.own = own;
        this.topic = topic;
        this.commits = new OffsetCommits(consumer, assigned, topic);
    }

    static TurnReader open(FeedConfig config, SubscriptionTarget target, OwnPartitions own, TopicState topic) {
        String group = config.topics().group(target.queue(), target.store(), target.filter());
        TurnReader reader =
                new TurnReader(target, FeedClients.groupConsumer(config, group), config.mostUnhandled(), own, topic);
        reader.consumer.subscribe(List.of(topic.name()), reader);
        return reader;
    }

    @Override
    public void step() {
        try {
            consumer.poll(POLL).forEach(this::take);
        } catch (NoOffsetForPartitionException e) {
            startAtEnd(e.partitions());
        } catch (OffsetOutOfRangeException e) {
            startAtBeginning(e.partitions());
        }
        resumePaused();
        commits.commitWhenDue();
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
        TopicPartition partition = new TopicPartition(message.topic(), message.partition());
        PartitionProgress progress = assigned.get(partition);
        if (progress == null) {
            return;
        }
        if (progress.isGap(message.offset())) {
            LOG.atWarn()
                    .addKeyValue("partition", partition)
                    .addKeyValue("offset", message.offset())
                    .log("announcements are missing, the provider queries the store for everything");
            target.lost();
        }
        target.read(message)
                .ifPresentOrElse(
                        announcement -> target.announce(announcement, progress.read(message.offset())),
                        () -> progress.passOver(message.offset()));
        if (progress.unhandled() >= mostUnhandled) {
            consumer.pause(List.of(partition));
        }
    }

    private void resumePaused() {
        Set<TopicPartition> paused = new HashSet<>(consumer.paused());
        paused.removeIf(partition -> {
            PartitionProgress progress = assigned.get(partition);
            return progress != null && progress.unhandled() > mostUnhandled / 2;
        });
        if (!paused.isEmpty()) {
            consumer.resume(paused);
        }
    }

    /** Whether it is in the group. Other members may have all partitions. */
    @Override
    public boolean isReady() {
        return isMember;
    }

    /** Called when it has joined, and after every change in the group, with the partitions that are new here. */
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        begin(partitions);
        isMember = true;
    }

    private void begin(Collection<TopicPartition> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(Set.copyOf(partitions));
        Set<TopicPartition> without = new HashSet<>();
        Set<TopicPartition> replaced = new HashSet<>();
        for (TopicPartition partition : partitions) {
            OffsetAndMetadata offset = committed.get(partition);
            if (offset == null) {
                without.add(partition);
            } else if (!commits.isOfThisTopic(offset)) {
                replaced.add(partition);
            } else {
                assigned.put(partition, new PartitionProgress(offset.offset(), offset.offset()));
            }
        }
        if (!without.isEmpty()) {
            startAtEnd(without);
        }
        if (!replaced.isEmpty()) {
            startAtBeginning(replaced);
        }
        own.set(assigned.keySet(), topic.partitions());
    }

    /** Nobody of this group has read these partitions. Only what is announced from now on is read. */
    private void startAtEnd(Collection<TopicPartition> partitions) {
        start(consumer.endOffsets(partitions), "the group has no offset");
    }

    /** Retention deleted records before they were read, or the topic was created again. */
    private void startAtBeginning(Collection<TopicPartition> partitions) {
        start(consumer.beginningOffsets(partitions), "the group's offset is not in the topic");
    }

    /** The place is known before the listener queries everything, so that what comes after the query is read. */
    private void start(Map<TopicPartition, Long> offsets, String why) {
        offsets.forEach(consumer::seek);
        LOG.atInfo()
                .addKeyValue("offsets", offsets)
                .addKeyValue("why", why)
                .log("announcements are read from here, the provider queries the store for everything");
        target.lost();
        // Not before: a place that is committed is one whose past was queried.
        offsets.forEach((partition, offset) -> {
            PartitionProgress before =
                    assigned.put(partition, new PartitionProgress(offset, PartitionProgress.UNKNOWN));
            if (before != null) {
                before.retire();
            }
        });
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        retire(partitions);
        try {
            commits.commitNow(partitions);
        } finally {
            forget(partitions);
        }
    }

    /** The group has missed this process, whose partitions others may have. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        isMember = false;
        retire(partitions);
        forget(partitions);
    }

    private void forget(Collection<TopicPartition> partitions) {
        assigned.keySet().removeAll(partitions);
        own.set(assigned.keySet(), topic.partitions());
    }

    private void retire(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            PartitionProgress progress = assigned.get(partition);
            if (progress != null) {
                progress.retire();
            }
        }
    }

    @Override
    public void wakeup() {
        consumer.wakeup();
    }

    /** The consumer revokes its partitions, which commits, and leaves the group. */
    @Override
    public void close(Duration timeout) {
        try {
            consumer.close(CloseOptions.timeout(timeout));
        } finally {
            onPartitionsLost(Set.copyOf(assigned.keySet()));
        }
    }
}
