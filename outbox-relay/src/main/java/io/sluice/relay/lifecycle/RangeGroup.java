package io.sluice.relay.lifecycle;

import io.sluice.relay.ops.FailureReason;
import io.sluice.relay.ops.LogKeys;
import io.sluice.relay.ops.PipelineControl;
import io.sluice.relay.ops.Threads;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets Kafka's consumer group share the key ranges out: who is assigned partition i of the positions topic publishes
 * range i. The consumer reads nothing; every partition stays paused.
 *
 * <p>{@link #step} belongs to one thread; {@link #status} may come from any.
 */
final class RangeGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RangeGroup.class);
    private static final Duration POLL = Duration.ofMillis(200);

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final IntFunction<RangePublisher> publishers;
    private final GroupOwnership ownership;
    private final PipelineControl control;
    private final Duration drainTimeout;
    private final Map<Integer, Running> running = new ConcurrentHashMap<>();
    private volatile @Nullable String trouble;
    private boolean subscribed;

    private record Running(RangePublisher publisher, Thread thread) {
        boolean isOver() {
            return !thread.isAlive() && publisher.status().state() != RangeState.REFUSED;
        }
    }

    RangeGroup(
            Consumer<byte[], byte[]> consumer,
            String topic,
            IntFunction<RangePublisher> publishers,
            GroupOwnership ownership,
            PipelineControl control,
            Duration drainTimeout) {
        this.consumer = consumer;
        this.topic = topic;
        this.publishers = publishers;
        this.ownership = ownership;
        this.control = control;
        this.drainTimeout = drainTimeout;
    }

    List<RangeStatus> status() {
        return running.values().stream()
                .map(range -> range.publisher().status())
                .sorted((a, b) -> Integer.compare(a.range(), b.range()))
                .toList();
    }

    /** Why it is not in the group, or does not hear of it; null when all is well, or Kafka is just away. */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** The ranges of this replica whose publishers have not shown what is new for longer, for whatever reason. */
    List<Integer> behindFor(Duration patience) {
        return running.entrySet().stream()
                .filter(range -> range.getValue().publisher().isBehind(patience))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Stays in the group, and sees to it that exactly the ranges assigned are being published. */
    Duration step() {
        control.beat();
        try {
            stayInGroup();
            trouble = null;
            return Duration.ZERO;
        } catch (KafkaException e) {
            trouble = FailureReason.of(e);
            throw e;
        }
    }

    private void stayInGroup() {
        if (!subscribed) {
            consumer.subscribe(List.of(topic), new Assignment());
            subscribed = true;
        }
        consumer.poll(POLL);
        ownership.setMember(consumer.groupMetadata().memberId());
        consumer.assignment().stream()
                .map(TopicPartition::partition)
                .filter(this::isToBegin)
                .forEach(this::begin);
    }

    /** A publisher that ended by itself was told that its range belongs to another; the group is asked once more. */
    private boolean isToBegin(int range) {
        var publisher = running.get(range);
        return publisher == null || (publisher.isOver() && ownership.of(range) == RangePublisher.Owner.US);
    }

    private void begin(int range) {
        var publisher = publishers.apply(range);
        // Whoever had the range before may have left a mark of long ago.
        control.beat(range);
        var thread = new Thread(publisher, "sluice-history-" + range);
        thread.setDaemon(true);
        running.put(range, new Running(publisher, thread));
        thread.start();
    }

    private void end(Set<Integer> ranges, Duration timeout) {
        running.forEach((range, publishing) -> {
            if (ranges.contains(range)) {
                publishing.publisher().stop();
            }
        });
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        for (int range : ranges) {
            var ended = running.remove(range);
            control.forget(range);
            if (ended != null && !Threads.join(ended.thread(), Duration.ofNanos(deadlineNanos - System.nanoTime()))) {
                LOG.atWarn().addKeyValue(LogKeys.RANGE, range).log("still committing; its next owner fences it out");
            }
        }
    }

    /** Ends all publishers after the pages under way, then leaves the group. */
    @Override
    public void close() {
        end(Set.copyOf(running.keySet()), drainTimeout);
        consumer.close();
    }

    private final class Assignment implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            consumer.pause(partitions);
            log(partitions, "ranges assigned");
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            log(partitions, "ranges given back");
            end(ranges(partitions), drainTimeout);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            log(partitions, "ranges lost");
            end(ranges(partitions), Duration.ZERO);
        }

        private void log(Collection<TopicPartition> partitions, String what) {
            if (!partitions.isEmpty()) {
                LOG.atInfo().addKeyValue(LogKeys.RANGE, ranges(partitions)).log(what);
            }
        }

        private Set<Integer> ranges(Collection<TopicPartition> partitions) {
            return partitions.stream().map(TopicPartition::partition).collect(Collectors.toSet());
        }
    }
}
