package io.sluice.relay.command;

import io.sluice.provider.outbox.CommandInbox;
import io.sluice.relay.command.CommandBatch.Committable;
import io.sluice.relay.ops.LogKeys;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
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
 * The partitions of the commands topic this member owns, and how late their commands were queued so far (the floor,
 * carried from owner to owner in the committed offset's metadata). Belongs to the consumer's thread.
 */
final class CommandPartitions implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(CommandPartitions.class);
    private static final Pattern FLOOR = Pattern.compile("floor=(\\d{1,16})");

    private static final Pattern TOPIC = Pattern.compile("topic=([\\w-]{22})");
    private static final Pattern SINCE = Pattern.compile("since=(\\d{1,16})");

    private final Consumer<byte[], byte[]> consumer;
    private final TopicIds topicIds;
    private final InstantSource clock;
    private final Map<TopicPartition, Long> floors = new HashMap<>();
    private final Map<TopicPartition, Source> sources = new HashMap<>();
    /** Never consumed by anybody, and paused until it is committed that they begin. */
    private final Map<TopicPartition, OffsetAndMetadata> beginnings = new HashMap<>();
    /** Whose commands from this offset on were deleted before they were taken: paused, until people have decided where to go on. */
    private final Map<TopicPartition, Long> lost = new HashMap<>();

    /** Up to which offset replies were sent, also where the commit that followed failed. */
    private final Map<TopicPartition, Long> replied = new HashMap<>();

    private @Nullable CommandBatch underWay;

    /**
     * What is known of a partition's records.
     *
     * @param topicId of the topic that they were read from
     * @param sinceMillis since when this version takes them; 0 when no earlier one ever did
     */
    private record Source(String topicId, long sinceMillis) {}

    CommandPartitions(Consumer<byte[], byte[]> consumer, TopicIds topicIds, InstantSource clock) {
        this.consumer = consumer;
        this.topicIds = topicIds;
        this.clock = clock;
    }

    /** Where the records of a partition come from; receipts of an earlier version live as long as any. */
    CommandBatch.Origin origin(TopicPartition partition) {
        var source = sources.getOrDefault(partition, new Source("", 0));
        boolean recent = clock.millis() - source.sinceMillis() < CommandInbox.RECEIPT_LIFE.toMillis();
        return new CommandBatch.Origin(source.topicId(), source.sinceMillis() > 0 && recent);
    }

    /** Whether the topic is still the one whose records are being taken; one round trip to Kafka. */
    boolean isSameTopic() {
        var now = topicIds.current();
        return sources.values().stream().allMatch(source -> source.topicId().equals(now));
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
            offsets.put(partition, offset(partition, done.nextOffset()));
        });
        return offsets;
    }

    /** Whether the reply to a command was sent, though its offset may not be committed yet. */
    boolean isReplied(ConsumerRecord<byte[], byte[]> message) {
        return message.offset() < replied.getOrDefault(new TopicPartition(message.topic(), message.partition()), 0L);
    }

    /** All replies to what is settled were sent. */
    void setReplied(Map<TopicPartition, Committable> settled) {
        settled.forEach((partition, done) -> replied.merge(partition, done.nextOffset(), Math::max));
    }

    /** What is committed with an offset. */
    private OffsetAndMetadata offset(TopicPartition partition, long offset) {
        var source = sources.getOrDefault(partition, new Source("", 0));
        return new OffsetAndMetadata(
                offset, "floor=" + floor(partition) + " topic=" + source.topicId() + " since=" + source.sinceMillis());
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
        partitions.forEach(sources::remove);
        partitions.forEach(replied::remove);
        partitions.forEach(beginnings::remove);
        partitions.forEach(lost::remove);
    }

    /**
     * Asks for the committed offsets; the group waits here for a transaction of the owner before. A partition without
     * one was never consumed: its beginning is committed, so that from then on a missing offset means a loss. An offset of a topic that was deleted says
     * nothing of one that was made in its place.
     */
    private void load(Collection<TopicPartition> partitions) {
        var topicId = topicIds.current();
        var committed = consumer.committed(new HashSet<>(partitions));
        var fresh = new HashSet<TopicPartition>();
        for (var partition : partitions) {
            var offset = committed.get(partition);
            if (offset == null) {
                fresh.add(partition);
            } else if (!topicId.equals(text(TOPIC, offset.metadata(), topicId))) {
                LOG.atWarn()
                        .addKeyValue(LogKeys.PARTITION, partition)
                        .log("the commands topic was made again, its commands are taken from the beginning");
                floors.put(partition, number(FLOOR, offset.metadata()));
                fresh.add(partition);
            } else {
                boolean ofThisVersion = TOPIC.matcher(offset.metadata()).find();
                long since = ofThisVersion ? number(SINCE, offset.metadata()) : clock.millis();
                sources.put(partition, new Source(topicId, since));
                floors.put(partition, number(FLOOR, offset.metadata()));
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

    private static long number(Pattern pattern, String metadata) {
        return Long.parseLong(text(pattern, metadata, "0"));
    }

    private static String text(Pattern pattern, String metadata, String otherwise) {
        var found = pattern.matcher(metadata);
        return found.find() ? found.group(1) : otherwise;
    }
}
