package io.sluice.relay.history;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.StopRequest;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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

    /** The end of one partition, read backwards in growing steps until a record is found. */
    private static final class Tail {
        private final TopicPartition partition;
        private final long beginning;
        private final long highWatermark;
        private long from;
        private @Nullable Position newest;

        private Tail(TopicPartition partition, long beginning, long highWatermark) {
            this.partition = partition;
            this.beginning = beginning;
            this.highWatermark = highWatermark;
            this.from = Math.max(beginning, highWatermark - FIRST_STEP_BACK);
        }

        /** Moves the start back; returns false when that is not needed, or not possible. */
        private boolean stepBack() {
            if (newest != null || from == beginning) {
                return false;
            }
            from = Math.max(beginning, highWatermark - (highWatermark - from) * FIRST_STEP_BACK);
            return true;
        }
    }

    /**
     * Reads the newest position of a range.
     *
     * @return empty when none was ever written
     * @throws TimeoutException when the high watermark isn't reached in time, as while a transaction is open
     */
    Optional<Position> read(int range) throws TimeoutException, InterruptedException {
        var newest = readAll(List.of(range)).get(range);
        if (newest == null) {
            throw new TimeoutException("the position of range " + range
                    + " is behind a transaction that is still open after " + timeout + ": "
                    + OpenTransaction.describe(
                            admin,
                            new TopicPartition(topics.positions(), range),
                            topics.historyTransactionalId(range)));
        }
        return newest;
    }

    /**
     * Reads the newest positions of several ranges at once.
     *
     * @return an entry for each range whose high watermark was reached in time; it is empty when nothing was ever
     *     written
     */
    Map<Integer, Optional<Position>> readAll(Collection<Integer> ranges) throws TimeoutException, InterruptedException {
        var partitions = ranges.stream()
                .map(range -> new TopicPartition(topics.positions(), range))
                .toList();
        var highWatermarks = highWatermarks(partitions);
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        try (Consumer<byte[], byte[]> consumer = kafka.reader()) {
            consumer.assign(partitions);
            var beginnings = consumer.beginningOffsets(partitions);
            var tails = new ArrayList<Tail>();
            highWatermarks.forEach((partition, end) ->
                    tails.add(new Tail(partition, beginnings.getOrDefault(partition, 0L), end.offset())));
            return read(consumer, tails, deadlineNanos);
        }
    }

    private Map<Integer, Optional<Position>> read(
            Consumer<byte[], byte[]> consumer, List<Tail> tails, long deadlineNanos) {
        var known = new HashMap<Integer, Optional<Position>>();
        var open = tails;
        while (!open.isEmpty() && System.nanoTime() - deadlineNanos < 0) {
            readToTheEnd(consumer, open, deadlineNanos);
            var reached = open.stream()
                    .filter(tail -> consumer.position(tail.partition) >= tail.highWatermark)
                    .toList();
            open = reached.stream().filter(Tail::stepBack).toList();
            for (var tail : reached) {
                if (!open.contains(tail)) {
                    known.put(tail.partition.partition(), Optional.ofNullable(tail.newest));
                }
            }
        }
        return known;
    }

    private void readToTheEnd(Consumer<byte[], byte[]> consumer, List<Tail> tails, long deadlineNanos) {
        var byPartition = tails.stream().collect(Collectors.toMap(tail -> tail.partition, Function.identity()));
        consumer.assign(byPartition.keySet());
        tails.forEach(tail -> consumer.seek(tail.partition, tail.from));
        while (tails.stream().anyMatch(tail -> consumer.position(tail.partition) < tail.highWatermark)
                && System.nanoTime() - deadlineNanos < 0) {
            for (var message : consumer.poll(POLL)) {
                var tail = byPartition.get(new TopicPartition(message.topic(), message.partition()));
                if (tail != null) {
                    take(message, tail);
                }
            }
        }
    }

    /** A record without a value removes a position. Records of others, who should have no right to write, are none. */
    private void take(ConsumerRecord<byte[], byte[]> message, Tail tail) {
        var position = message.value() == null ? Optional.<Position>empty() : Position.parse(message.value());
        boolean removes =
                message.value() == null && Arrays.equals(message.key(), RangeId.recordKey(message.partition()));
        if (position.isPresent() || removes) {
            tail.newest = position.orElse(null);
        } else if (withForeignRecords.add(message.partition())) {
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
