package io.sluice.relay.history;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.kafka.OpenTransaction;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.topic.TopicReader;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the positions of ranges from their topic. A position is known only after a read_committed consumer has reached
 * the partition's high watermark: before the last stable offset only, an open transaction could hide the newest one.
 * Records that are no positions are skipped. Thread-safe.
 */
final class PositionLog {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long FIRST_STEP_BACK = 16;
    private static final Logger LOG = LoggerFactory.getLogger(PositionLog.class);

    private final KafkaAccess kafka;
    private final Admin admin;
    private final Topics topics;
    private final Duration timeout;
    private final HistoryTopic historyTopic;
    /** The partitions with records of others, which were logged. */
    private final Set<Integer> withForeignRecords = ConcurrentHashMap.newKeySet();

    PositionLog(KafkaAccess kafka, Admin admin, Topics topics, Duration timeout) {
        this.kafka = kafka;
        this.admin = admin;
        this.topics = topics;
        this.timeout = timeout;
        this.historyTopic = new HistoryTopic(admin, topics.history());
    }

    /** The topic that has the events before the positions. */
    HistoryTopic historyTopic() {
        return historyTopic;
    }

    /** The end of one partition, read backwards in growing steps until a record of the range is found. */
    private static final class Tail {
        private final byte[] key;
        private final long beginning;
        private final long highWatermark;
        private long from;
        private @Nullable Position newest;
        private boolean isRemoved;

        private Tail(byte[] key, long beginning, long highWatermark) {
            this.key = key.clone();
            this.beginning = beginning;
            this.highWatermark = highWatermark;
            this.from = Math.max(beginning, highWatermark - FIRST_STEP_BACK);
        }

        /** Moves the start back; returns false when that is not needed, or not possible. */
        private boolean stepBack() {
            if (newest != null || isRemoved || from == beginning) {
                return false;
            }
            from = Math.max(beginning, highWatermark - (highWatermark - from) * FIRST_STEP_BACK);
            return true;
        }

        /** A record without a value removes a position. */
        private void take(ConsumerRecord<byte[], byte[]> message) {
            if (Arrays.equals(message.key(), key)) {
                isRemoved = message.value() == null;
                newest = isRemoved ? null : Position.parse(message.value()).orElse(newest);
            }
        }
    }

    /**
     * Reads the newest position of a range.
     *
     * @return empty when none was ever written
     * @throws TimeoutException when the high watermark isn't reached in time, as while a transaction is open
     */
    Optional<Position> read(RangeId range) throws TimeoutException, InterruptedException {
        var partition = new TopicPartition(topics.positions(), range.partition());
        long end = highWatermarks(List.of(partition)).values().iterator().next().offset();
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        try (Consumer<byte[], byte[]> consumer = kafka.reader()) {
            consumer.assign(List.of(partition));
            long beginning = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
            var tail = new Tail(range.recordKey(), beginning, end);
            do {
                consumer.seek(partition, tail.from);
                if (!readToTheEnd(consumer, Map.of(partition, end), deadlineNanos, tail::take)) {
                    throw new TimeoutException("the position of range " + range.name()
                            + " is behind a transaction that is still open after " + timeout + ": "
                            + OpenTransaction.describe(admin, partition, topics.historyTransactionalId(range.key())));
                }
            } while (tail.stepBack());
            return Optional.ofNullable(tail.newest);
        }
    }

    /**
     * Reads the newest positions of all ranges, those included that have ended. They are incomplete when a high
     * watermark isn't reached in time, as while a transaction is open.
     */
    Positions readAll() throws TimeoutException, InterruptedException {
        var partitions = IntStream.range(0, new TopicReader(admin).partitions(topics.positions()))
                .mapToObj(partition -> new TopicPartition(topics.positions(), partition))
                .toList();
        var ends = new HashMap<TopicPartition, Long>();
        highWatermarks(partitions).forEach((partition, end) -> ends.put(partition, end.offset()));
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        var read = new Positions.Reader(partitions.size());
        try (Consumer<byte[], byte[]> consumer = kafka.reader()) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            boolean isComplete = readToTheEnd(consumer, ends, deadlineNanos, message -> take(message, read));
            return read.positions(isComplete);
        }
    }

    /** Returns false when the ends were not reached in time. */
    private static boolean readToTheEnd(
            Consumer<byte[], byte[]> consumer,
            Map<TopicPartition, Long> ends,
            long deadlineNanos,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() - deadlineNanos >= 0) {
                return false;
            }
            consumer.poll(POLL).forEach(reader);
        }
        return true;
    }

    /** Records of others, who should have no right to write, are none. */
    private void take(ConsumerRecord<byte[], byte[]> message, Positions.Reader reader) {
        if (!reader.take(message) && withForeignRecords.add(message.partition())) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.TOPIC, message.topic())
                    .addKeyValue(LogKeys.PARTITION, message.partition())
                    .addKeyValue(LogKeys.OFFSET, message.offset())
                    .log("skipped a record that is no position: somebody else than the relay may write to its "
                            + "positions topic; further ones in this partition are not logged");
        }
    }

    private Map<TopicPartition, ListOffsetsResultInfo> highWatermarks(List<TopicPartition> partitions)
            throws TimeoutException, InterruptedException {
        var ends = partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
        var pause = new StopRequest();
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (true) {
            try {
                return admin.listOffsets(ends, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .all()
                        .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                // A broker may not know a topic yet that was created a moment ago.
                if (!(e.getCause() instanceof RetriableException) || System.nanoTime() - deadlineNanos > 0) {
                    throw new IllegalStateException("can't ask for the ends of " + partitions, e.getCause());
                }
                pause.await(POLL);
            }
        }
    }
}
