package io.sluice.relay.command;

import io.sluice.provider.outbox.CommandInbox;
import io.sluice.relay.command.parse.OffsetNote;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.topic.TopicIds;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of the commands topic that this member owns, with the floor of each: the latest time at which one of
 * its commands was queued. The metadata of the committed offset carries the floor to the next owner. Belongs to the
 * consumer's thread.
 */
final class CommandPartitions implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(CommandPartitions.class);
    private final Consumer<byte[], byte[]> consumer;
    private final TopicIds topicIds;
    private final InstantSource clock;
    private final Map<TopicPartition, Long> floors = new HashMap<>();
    private final Map<TopicPartition, Source> sources = new HashMap<>();
    /** Partitions that were never consumed: paused until their first offset is committed. */
    private final Map<TopicPartition, OffsetAndMetadata> beginnings = new HashMap<>();
    /**
     * Partitions whose commands from this offset on expired before they were taken: paused until an operator sets an
     * offset.
     */
    private final Map<TopicPartition, Long> lost = new HashMap<>();
    /** The offset up to which replies were sent, also when the commit after them failed. */
    private final Map<TopicPartition, Long> replied = new HashMap<>();

    /** The committed offsets, of partitions that were consumed before. */
    private final Map<TopicPartition, Long> committed = new HashMap<>();

    private final ParkedCommands parked;
    private @Nullable CommandBatch underWay;

    /**
     * The origin of a partition's records.
     *
     * @param topicId of the topic that they are read from
     * @param sinceMillis since when this version takes them; 0 when no earlier version ever did
     */
    private record Source(String topicId, long sinceMillis) {}

    CommandPartitions(
            Consumer<byte[], byte[]> consumer, TopicIds topicIds, ParkedCommands parked, InstantSource clock) {
        this.consumer = consumer;
        this.parked = parked;
        this.topicIds = topicIds;
        this.clock = clock;
    }

    /** What is parked of these partitions. */
    ParkedCommands parked() {
        return parked;
    }

    /** The committed offset of a partition; null before the first. */
    @Nullable
    Long committed(TopicPartition partition) {
        return committed.get(partition);
    }

    /** Notes that these offsets are committed. */
    void setCommitted(Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((partition, offset) -> committed.put(partition, offset.offset()));
    }

    /** Goes back to these offsets, in partitions that have no room to park more. */
    void leave(Map<TopicPartition, Long> left) {
        left.forEach((partition, offset) -> {
            if (consumer.assignment().contains(partition)) {
                consumer.seek(partition, offset);
                consumer.pause(Set.of(partition));
            }
        });
    }

    /** The origin of the records of a partition. */
    CommandBatch.Origin origin(TopicPartition partition) {
        var source = sources.getOrDefault(partition, new Source("", 0));
        boolean recent = clock.millis() - source.sinceMillis() < CommandInbox.RECEIPT_LIFE.toMillis();
        return new CommandBatch.Origin(source.topicId(), source.sinceMillis() > 0 && recent);
    }

    /** Whether the topic is still the one whose records are taken; one round trip to Kafka. */
    boolean isSameTopic() {
        var now = topicIds.current();
        return sources.values().stream().allMatch(source -> source.topicId().equals(now));
    }

    /** Sets the batch that is being settled, null for none. */
    void setUnderWay(@Nullable CommandBatch batch) {
        underWay = batch;
    }

    /** The latest known time at which a command of this partition was queued; 0 before the first. */
    long floor(TopicPartition partition) {
        return floors.getOrDefault(partition, 0L);
    }

    /** The offsets to commit for the settled commands, by partition. */
    Map<TopicPartition, OffsetAndMetadata> offsetsAfter(Map<TopicPartition, Committable> settled) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        settled.forEach((partition, done) -> {
            floors.merge(partition, done.latestEnqueuedAt(), Math::max);
            offsets.put(partition, offset(partition, done.nextOffset()));
        });
        return offsets;
    }

    /** Whether the reply to a command was sent, though its offset may not be committed yet. */
    boolean isReplied(ConsumerRecord<byte[], byte[]> message) {
        return message.offset() < replied.getOrDefault(new TopicPartition(message.topic(), message.partition()), 0L);
    }

    /** Notes that all replies to the settled commands of a batch were sent. */
    void setReplied(Map<TopicPartition, Committable> settled) {
        settled.forEach((partition, done) -> replied.merge(partition, done.repliedOffset(), Math::max));
    }

    /** An offset with its metadata. */
    private OffsetAndMetadata offset(TopicPartition partition, long offset) {
        var source = sources.getOrDefault(partition, new Source("", 0));
        var note = new OffsetNote(floor(partition), source.topicId(), source.sinceMillis());
        return new OffsetAndMetadata(offset, note.text());
    }

    /** Goes back to the committed offsets, after a commit with an unknown result. */
    void rewind() {
        loadOffsets(consumer.assignment());
    }

    /**
     * Loads the offsets of partitions for which that failed when they were assigned. Kafka announces an assignment
     * once; a poll without the offsets would fail, or continue without the floors.
     */
    void loadUnknownOffsets() {
        var unknown = new HashSet<>(consumer.assignment());
        unknown.removeAll(floors.keySet());
        if (!unknown.isEmpty()) {
            loadOffsets(unknown);
        }
    }

    /** Pauses partitions whose next commands have expired. */
    void pauseLost(Map<TopicPartition, Long> outOfRange) {
        var assigned = consumer.assignment();
        outOfRange.forEach((partition, offset) -> {
            if (assigned.contains(partition)) {
                lost.put(partition, offset);
            }
        });
        consumer.pause(lost.keySet());
    }

    /** The partitions whose next commands have expired. */
    Set<TopicPartition> lost() {
        return Set.copyOf(lost.keySet());
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        LOG.atInfo().addKeyValue(LogKeys.PARTITION, partitions).log("partitions of the commands topic assigned");
        loadOffsets(partitions);
        if (underWay != null) {
            consumer.pause(partitions);
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        LOG.atInfo().addKeyValue(LogKeys.PARTITION, partitions).log("partitions of the commands topic revoked");
        if (underWay != null) {
            underWay.abandon(partitions);
        }
        partitions.forEach(floors::remove);
        partitions.forEach(sources::remove);
        partitions.forEach(replied::remove);
        partitions.forEach(beginnings::remove);
        partitions.forEach(lost::remove);
        partitions.forEach(committed::remove);
        parked.drop(partitions);
    }

    /**
     * Loads the committed offsets; the request waits for an open transaction of the previous owner. A partition without
     * an offset was never consumed: its beginning is committed, so that later a missing offset means a loss. An offset
     * of a deleted topic does not apply to a new topic of the same name.
     *
     * <p>What is parked is read after the offsets, as an owner before may have parked commands in the transaction that
     * committed them; and they are read again after it, as another owner may have finished what was parked meanwhile.
     */
    private void loadOffsets(Collection<TopicPartition> partitions) {
        var topicId = topicIds.current();
        var all = new HashSet<>(partitions);
        var offsets = consumer.committed(all);
        var read = parked.read(all);
        for (var again = consumer.committed(all); !again.equals(offsets); again = consumer.committed(all)) {
            offsets = again;
            read = parked.read(all);
        }
        parked.load(read);
        partitions.forEach(committed::remove);
        var fresh = new HashSet<TopicPartition>();
        for (var partition : partitions) {
            var offset = offsets.get(partition);
            if (offset == null) {
                fresh.add(partition);
                continue;
            }
            var note = OffsetNote.of(offset.metadata());
            floors.put(partition, note.floorMillis());
            if (note.isOfOther(topicId)) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.PARTITION, partition)
                        .log(
                                "the commands topic was deleted and created again, its commands are taken from the beginning");
                fresh.add(partition);
            } else {
                sources.put(
                        partition, new Source(topicId, note.isOfThisVersion() ? note.sinceMillis() : clock.millis()));
                committed.put(partition, offset.offset());
                consumer.seek(partition, offset.offset());
                if (!Long.valueOf(offset.offset()).equals(lost.get(partition))) {
                    lost.remove(partition);
                }
            }
        }
        if (!fresh.isEmpty()) {
            consumer.beginningOffsets(fresh).forEach((partition, offset) -> {
                sources.put(partition, new Source(topicId, 0));
                floors.putIfAbsent(partition, 0L);
                beginnings.put(partition, offset(partition, offset));
                lost.remove(partition);
                replied.remove(partition);
                consumer.seek(partition, offset);
            });
            consumer.pause(fresh);
        }
    }

    /**
     * Resumes all partitions except those without a committed beginning, those with expired commands, and those that
     * have no room to park more.
     */
    void resume() {
        var paused = new HashSet<>(consumer.paused());
        paused.removeAll(beginnings.keySet());
        paused.removeAll(lost.keySet());
        paused.removeAll(parked.full());
        consumer.resume(paused);
    }

    /**
     * Commits the beginnings of partitions that were never consumed. During a rebalance that fails, and the next call
     * tries again.
     */
    void commitBeginnings() {
        if (beginnings.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(beginnings);
        } catch (RebalanceInProgressException | CommitFailedException e) {
            LOG.atDebug()
                    .setCause(e)
                    .log(
                            "the group is rebalancing; the start offsets of new partitions are committed when it has ended");
            return;
        }
        LOG.atInfo()
                .addKeyValue(LogKeys.PARTITION, beginnings.keySet())
                .log(
                        "took partitions of the commands topic for the first time, commands are taken from their beginning");
        setCommitted(beginnings);
        consumer.resume(beginnings.keySet());
        beginnings.clear();
    }
}
