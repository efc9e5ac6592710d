package io.sluice.relay.history;

import io.sluice.program.FailureReason;
import io.sluice.relay.control.PipelineControl;
import io.sluice.relay.log.LogKeys;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets Kafka's consumer group distribute the key ranges: the replica that is assigned a partition of the positions
 * topic publishes the ranges in it. The consumer reads the positions only to learn which ranges there are; where a
 * range goes on is read when it is taken over.
 *
 * <p>{@link #step} belongs to one thread; {@link #status} may come from any.
 */
final class RangeGroup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RangeGroup.class);
    /** Without a heartbeat; they are sent every few seconds. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

    private static final Duration POLL = Duration.ofMillis(200);

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final RangePublishers publishers;
    private final GroupOwnership ownership;
    private final PipelineControl control;
    private final RangeLayout layout = new RangeLayout();
    private volatile @Nullable String problem;
    private boolean wasAssigned;
    /** A step has no time to look through all metrics. */
    private @Nullable Metric heartbeat;

    private volatile boolean isAssigned;
    private boolean subscribed;

    RangeGroup(
            Consumer<byte[], byte[]> consumer,
            String topic,
            RangePublishers publishers,
            GroupOwnership ownership,
            PipelineControl control) {
        this.consumer = consumer;
        this.topic = topic;
        this.publishers = publishers;
        this.ownership = ownership;
        this.control = control;
    }

    List<RangeStatus> status() {
        return publishers.status();
    }

    /**
     * Whether the group has said which ranges are this replica's, and still hears it, and all of them are known: while
     * Kafka is away, members that die leave ranges behind of which nobody learns.
     */
    boolean isAssigned() {
        return isAssigned;
    }

    /**
     * Why this replica is not in the group, or can't reach it; null when all is well, or Kafka is away for the moment.
     */
    @Nullable
    String problem() {
        return problem;
    }

    /** Stays in the group and starts a publisher for each assigned range that has none. */
    Duration step() {
        control.beat();
        try {
            pollAndStartPublishers();
            problem = null;
            return Duration.ZERO;
        } catch (KafkaException e) {
            isAssigned = false;
            problem = FailureReason.of(e);
            throw e;
        }
    }

    private void pollAndStartPublishers() {
        if (!subscribed) {
            consumer.subscribe(List.of(topic), new Assignment());
            subscribed = true;
        }
        consumer.poll(POLL).forEach(layout::take);
        ownership.setMember(consumer.groupMetadata().memberId());
        consumer.assignment().forEach(this::noteEnd);
        isAssigned = wasAssigned
                && heartbeatSeconds() <= LONGEST_SILENCE.toSeconds()
                && consumer.assignment().stream().allMatch(each -> layout.isUpToDate(each.partition()));
        var active = layout.active();
        publishers.stop(publishers.rangesOtherThan(active));
        active.stream().filter(this::needsPublisher).forEach(publishers::start);
    }

    private void noteEnd(TopicPartition partition) {
        int number = partition.partition();
        if (!layout.isUpToDate(number) && consumer.currentLag(partition).orElse(1) == 0) {
            layout.reachedEnd(number);
        }
    }

    /** Since the latest heartbeat that was sent to the group's coordinator. */
    private double heartbeatSeconds() {
        var known = heartbeat;
        if (known == null) {
            known = consumer.metrics().values().stream()
                    .filter(metric -> metric.metricName().name().equals("last-heartbeat-seconds-ago"))
                    .findFirst()
                    .orElse(null);
            heartbeat = known;
        }
        return known == null ? 0 : (Double) known.metricValue();
    }

    /** A publisher that ended by itself had heard that another replica owns its range; the group is asked once more. */
    private boolean needsPublisher(RangeId range) {
        return !publishers.has(range)
                || (publishers.hasEnded(range) && ownership.askOwner(range) == RangeOwnership.Owner.US);
    }

    /** Stops all publishers after the pages under way, then leaves the group. */
    @Override
    public void close() {
        publishers.stopAll();
        consumer.close();
    }

    private final class Assignment implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            layout.assigned(numbers(partitions));
            consumer.seekToBeginning(partitions);
            wasAssigned = true;
            log(partitions, "partitions of key ranges assigned");
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            log(partitions, "partitions of key ranges revoked");
            layout.removed(numbers(partitions));
            publishers.stop(publishers.rangesIn(numbers(partitions)));
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            log(partitions, "partitions of key ranges lost");
            wasAssigned = false;
            layout.removed(numbers(partitions));
            publishers.stopLost(publishers.rangesIn(numbers(partitions)));
        }

        private void log(Collection<TopicPartition> partitions, String what) {
            if (!partitions.isEmpty()) {
                LOG.atInfo().addKeyValue(LogKeys.PARTITION, numbers(partitions)).log(what);
            }
        }

        private Set<Integer> numbers(Collection<TopicPartition> partitions) {
            return partitions.stream().map(TopicPartition::partition).collect(Collectors.toSet());
        }
    }
}
