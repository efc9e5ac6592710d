package io.sluice.relay.lifecycle;

import io.sluice.relay.ops.KafkaAccess;
import io.sluice.relay.ops.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Reads positions back. A position is known only when everything before the partition's high watermark was read as
 * committed: up to the last stable offset alone, somebody's open transaction could hide the newest one.
 */
final class PositionLog {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long FIRST_STEP_BACK = 16;

    private final KafkaAccess kafka;
    private final Admin admin;
    private final Topics topics;
    private final Duration timeout;

    PositionLog(KafkaAccess kafka, Admin admin, Topics topics, Duration timeout) {
        this.kafka = kafka;
        this.admin = admin;
        this.topics = topics;
        this.timeout = timeout;
    }

    /**
     * Reads the newest position of a range.
     *
     * @return empty when none was ever written
     * @throws TimeoutException when the high watermark isn't known or reached in time, as while a transaction is open
     * @throws PositionRefused when the record can't be understood
     */
    Optional<Position> read(int range) throws TimeoutException, PositionRefused, InterruptedException {
        var partition = new TopicPartition(topics.positions(), range);
        long highWatermark = highWatermark(partition);
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        try (Consumer<byte[], byte[]> consumer = kafka.reader()) {
            consumer.assign(List.of(partition));
            long beginning = consumer.beginningOffsets(List.of(partition)).getOrDefault(partition, 0L);
            // The newest record is almost always among the last few; the cleaner may not have run for long.
            for (long back = FIRST_STEP_BACK; ; back *= FIRST_STEP_BACK) {
                long from = Math.max(beginning, highWatermark - back);
                var newest = newestBetween(consumer, partition, from, highWatermark, deadlineNanos);
                if (newest != null) {
                    return Optional.of(Position.decode(newest));
                }
                if (from == beginning) {
                    return Optional.empty();
                }
            }
        }
    }

    private static byte @Nullable [] newestBetween(
            Consumer<byte[], byte[]> consumer, TopicPartition partition, long from, long to, long deadlineNanos)
            throws TimeoutException {
        byte @Nullable [] newest = null;
        consumer.seek(partition, from);
        while (consumer.position(partition) < to) {
            for (var message : consumer.poll(POLL)) {
                newest = message.value();
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new TimeoutException(partition + " is behind an open transaction: read up to "
                        + consumer.position(partition) + " of " + to);
            }
        }
        return newest;
    }

    private long highWatermark(TopicPartition partition) throws TimeoutException, InterruptedException {
        var uncommitted = new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED);
        var asked = admin.listOffsets(Map.of(partition, OffsetSpec.latest()), uncommitted);
        try {
            return asked.partitionResult(partition)
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .offset();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableException passing) {
                // As when the topic was made a moment ago and this broker doesn't know it yet.
                throw new TimeoutException("no end of " + partition + " to be had: " + passing.getMessage());
            }
            throw new IllegalStateException("can't ask for the end of " + partition, e.getCause());
        }
    }
}
