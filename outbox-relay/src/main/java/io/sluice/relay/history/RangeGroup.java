package io.sluice.relay.history;

import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.log.FailureReason;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.loop.Threads;
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
 * Lets Kafka's consumer group distribute the key ranges: the replica that is assigned partition i of the positions
 * topic publishes range i. The consumer reads nothing; every partition stays paused.
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

    /**
     * Why this replica is not in the group, or can't reach it; null when all is well, or Kafka is away for the moment.
     */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** The ranges of this replica whose publishers have read no new change for longer than this, for any reason. */
    List<Integer> behindFor(Duration patience) {
        return running.entrySet().stream()
                .filter(range -> range.getValue().publisher().isBehind(patience))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Stays in the group and starts a publisher for each assigned range that has none. */
    Duration step() {
        control.beat();
        try {
            pollAndStartPublishers();
            trouble = null;
            return Duration.ZERO;
        } catch (KafkaException e) {
            trouble = FailureReason.of(e);
            throw e;
        }
    }

    private void pollAndStartPublishers() {
        if (!subscribed) {
            consumer.subscribe(List.of(topic), new Assignment());
            subscribed = true;
        }
        consumer.poll(POLL);
        ownership.setMember(consumer.groupMetadata().memberId());
        consumer.assignment().stream()
                .map(TopicPartition::partition)
                .filter(this::needsPublisher)
                .forEach(this::start);
    }

    /** A publisher that ended by itself had heard that another replica owns its range; the group is asked once more. */
    private boolean needsPublisher(int range) {
        var publisher = running.get(range);
        return publisher == null || (publisher.isOver() && ownership.askOwner(range) == RangeOwnership.Owner.US);
    }

    private void start(int range) {
        var publisher = publishers.apply(range);
        // An earlier publisher of the range may have left a heartbeat of long ago.
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
                LOG.atWarn()
                        .addKeyValue(LogKeys.RANGE, range)
                        .log(
                                "the publisher of a range still commits though the range was given away; the next owner fences it out");
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
            log(partitions, "key ranges assigned");
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            log(partitions, "key ranges revoked");
            end(ranges(partitions), drainTimeout);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            log(partitions, "key ranges lost");
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
