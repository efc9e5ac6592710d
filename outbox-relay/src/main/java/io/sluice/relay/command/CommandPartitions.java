package io.sluice.relay.command;

import io.sluice.relay.command.CommandBatch.Committable;
import io.sluice.relay.ops.LogKeys;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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
    /** Whose commands from this offset on were deleted before they were taken: paused, until people have decided where to go on. */
    private final Map<TopicPartition, Long> lost = new HashMap<>();

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

    /** Where to go on when what is settled is committed, by partition. */
    Map<TopicPartition, OffsetAndMetadata> advance(Map<TopicPartition, Committable> settled) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        settled.forEach((partition, done) -> {
            floors.merge(partition, done.latestEnqueuedAt(), Math::max);
            offsets.put(partition, offset(done.nextOffset(), floor(partition)));
        });
        return offsets;
    }

    /** What is committed with an offset. */
    private static OffsetAndMetadata offset(long offset, long floor) {
        return new OffsetAndMetadata(offset, "floor=" + floor);
    }

    /** Goes back to what is committed, after a commit whose end isn't known. */
    void rewind() {
        load(consumer.assignment());
    }

    /**
     * Asks for the offsets of those for which that failed when they were assigned. Kafka tells of an assignment once; a poll without their offsets would fail, or
     * go on without their floors.
     */
    void resolve() {
        var unknown = new HashSet<>(consumer.assignment());
        unknown.removeAll(floors.keySet());
        if (!unknown.isEmpty()) {
            load(unknown);
        }
    }

    /** Takes nothing more from partitions whose next commands are gone. */
    void lose(Map<TopicPartition, Long> outOfRange) {
        var assigned = consumer.assignment();
        outOfRange.forEach((partition, offset) -> {
            if (assigned.contains(partition)) {
                lost.put(partition, offset);
            }
        });
        consumer.pause(lost.keySet());
    }

    /** Those whose next commands are gone. */
    Set<TopicPartition> lost() {
        return Set.copyOf(lost.keySet());
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
        partitions.forEach(lost::remove);
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
                if (!Long.valueOf(offset.offset()).equals(lost.get(partition))) {
                    lost.remove(partition);
                }
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

    /** Goes on with everything but what has not begun, and what is lost. */
    void resume() {
        var paused = new HashSet<>(consumer.paused());
        paused.removeAll(beginnings.keySet());
        paused.removeAll(lost.keySet());
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
