package io.sluice.relay.command;

import io.sluice.relay.ops.LogKeys;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of the commands topic this member owns, and how late their commands were queued so far (the floor,
 * carried from owner to owner in the committed offset's metadata). Belongs to the consumer's thread.
 */
final class CommandPartitions implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(CommandPartitions.class);
    private static final Pattern FLOOR = Pattern.compile("floor=(\\d{1,16})");

    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> floors = new HashMap<>();
    /** Never consumed by anybody, and paused until it is committed that they begin. */
    private final Map<TopicPartition, OffsetAndMetadata> beginnings = new HashMap<>();

    private @Nullable CommandBatch underWay;

    CommandPartitions(Consumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /** Tells which batch is being worked on, null for none. */
    void setUnderWay(@Nullable CommandBatch batch) {
        underWay = batch;
    }

    /** The latest time a command of this partition was queued, as far as known; 0 before the first. */
    long floor(TopicPartition partition) {
        return floors.getOrDefault(partition, 0L);
    }

    void raiseFloor(TopicPartition partition, long enqueuedAt) {
        floors.merge(partition, enqueuedAt, Math::max);
    }

    /** What is committed with an offset. */
    static OffsetAndMetadata offset(long offset, long floor) {
        return new OffsetAndMetadata(offset, "floor=" + floor);
    }

    /** Goes back to what is committed, after a commit whose end isn't known. */
    void rewind() {
        load(consumer.assignment());
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        LOG.atInfo().addKeyValue(LogKeys.PARTITION, partitions).log("command partitions assigned");
        load(partitions);
        if (underWay != null) {
            consumer.pause(partitions);
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        LOG.atInfo().addKeyValue(LogKeys.PARTITION, partitions).log("command partitions given away");
        if (underWay != null) {
            underWay.abandon(partitions);
        }
        partitions.forEach(floors::remove);
        partitions.forEach(beginnings::remove);
    }

    /**
     * Asks for the committed offsets; the group waits here for a transaction of the owner before. A partition without
     * one was never consumed: its beginning is committed, so that from then on a missing offset means a loss.
     */
    private void load(Collection<TopicPartition> partitions) {
        var committed = consumer.committed(new HashSet<>(partitions));
        var fresh = new HashSet<TopicPartition>();
        for (var partition : partitions) {
            var offset = committed.get(partition);
            if (offset == null) {
                fresh.add(partition);
            } else {
                floors.put(partition, floor(offset.metadata()));
                consumer.seek(partition, offset.offset());
            }
        }
        if (!fresh.isEmpty()) {
            consumer.beginningOffsets(fresh).forEach((partition, offset) -> {
                beginnings.put(partition, offset(offset, 0));
                floors.put(partition, 0L);
                consumer.seek(partition, offset);
            });
            consumer.pause(fresh);
        }
    }

    /** Goes on with everything but what has not begun. */
    void resume() {
        var paused = new HashSet<>(consumer.paused());
        paused.removeAll(beginnings.keySet());
        consumer.resume(paused);
    }

    /** Commits where partitions begin that nobody consumed before, outside of any rebalance; what can't be committed during one comes with the next call. */
    void begin() {
        if (beginnings.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(beginnings);
        } catch (RebalanceInProgressException | CommitFailedException e) {
            LOG.atDebug().setCause(e).log("the group is rebalancing, partitions begin after it");
            return;
        }
        LOG.atInfo().addKeyValue(LogKeys.PARTITION, beginnings.keySet()).log("commands are taken from the beginning");
        consumer.resume(beginnings.keySet());
        beginnings.clear();
    }

    private static long floor(String metadata) {
        var found = FLOOR.matcher(metadata);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }
}
