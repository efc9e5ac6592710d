package io.sluice.client.lifecycle;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Which partitions a reader has, and where it begins on each. Belongs to the reader's thread, but for its making. */
final class Places implements ConsumerRebalanceListener {
    private static final int POLL_RECORDS = 100;
    private static final int TRIES = 10;
    private static final long REST_MILLIS = 200;
    /** A partition that was added is noticed so much later at most. */
    private static final int METADATA_AGE_MILLIS = 10_000;

    private final ReaderConfig config;
    private final Consumer<byte[], byte[]> consumer;
    private final Departure left;
    /** Without a group: what is read. */
    private final Set<TopicPartition> own = new HashSet<>();

    /** What is to be done when partitions go to another member. */
    interface Departure {
        void gone(Collection<TopicPartition> partitions);
    }

    /** @param left told of partitions that went to another member */
    Places(ReaderConfig config, Consumer<byte[], byte[]> consumer, Departure left) {
        this.config = config;
        this.consumer = consumer;
        this.left = left;
    }

    static Consumer<byte[], byte[]> newConsumer(ReaderConfig config) {
        Map<String, Object> settings = new HashMap<>(config.kafkaSettings());
        settings.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
        settings.putIfAbsent(ConsumerConfig.METADATA_MAX_AGE_CONFIG, METADATA_AGE_MILLIS);
        settings.putIfAbsent(
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
        if (config.group() != null) {
            settings.put(ConsumerConfig.GROUP_ID_CONFIG, config.group());
        }
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, IsolationLevel.READ_COMMITTED.toString());
        // Where to begin is said by us; events that were deleted unread are no beginning.
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        try {
            return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (KafkaException e) {
            throw unanswered(config, e);
        }
    }

    /** @throws ReaderStoppedException when Kafka does not answer, or the topic is missing */
    void take() {
        try {
            var partitions = partitionsPatiently();
            if (partitions.isEmpty()) {
                throw new ReaderStoppedException(
                        "topic " + config.topic()
                                + " is missing; the relay makes it: run it with SLUICE_STREAMS=true, or its provision",
                        null);
            }
            if (config.group() == null) {
                own.addAll(partitions);
                consumer.assign(own);
                begin(partitions);
            } else {
                consumer.subscribe(List.of(config.topic()), this);
            }
        } catch (TimeoutException e) {
            throw unanswered(config, e);
        }
    }

    /** Without a group nobody else notices that a partition was added; all that is on it came since. */
    void takeUpNew() {
        if (config.group() != null) {
            return;
        }
        var fresh = partitions().stream().filter(own::add).toList();
        if (!fresh.isEmpty()) {
            consumer.assign(own);
            consumer.beginningOffsets(fresh).forEach(consumer::seek);
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        // Those of which the group knows nothing are asked for by the consumer, see begin.
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        left.gone(partitions);
    }

    /**
     * Begins where the configuration says.
     *
     * @return the offsets
     * @throws TimeoutException when Kafka does not say where that is
     */
    Map<TopicPartition, Long> begin(Collection<TopicPartition> partitions) {
        var offsets = offsets(partitions);
        offsets.forEach(consumer::seek);
        return offsets;
    }

    private Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions) {
        if (config.startAt() instanceof StartAt.Beginning) {
            return consumer.beginningOffsets(partitions);
        }
        var offsets = new HashMap<>(consumer.endOffsets(partitions));
        if (config.startAt() instanceof StartAt.Time time) {
            long millis = time.time().toEpochMilli();
            consumer.offsetsForTimes(
                            partitions.stream().collect(Collectors.toMap(partition -> partition, partition -> millis)))
                    .forEach((partition, found) -> {
                        if (found != null) {
                            offsets.put(partition, found.offset());
                        }
                    });
        }
        return offsets;
    }

    /** A topic that was made a moment ago may still be unknown to the broker asked. */
    private List<TopicPartition> partitionsPatiently() {
        var partitions = partitions();
        for (int tries = 1; tries < TRIES && partitions.isEmpty(); tries++) {
            try {
                TimeUnit.MILLISECONDS.sleep(REST_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return partitions;
            }
            partitions = partitions();
        }
        return partitions;
    }

    private List<TopicPartition> partitions() {
        return consumer.partitionsFor(config.topic(), config.startTimeout()).stream()
                .map(partition -> new TopicPartition(config.topic(), partition.partition()))
                .toList();
    }

    private static ReaderStoppedException unanswered(ReaderConfig config, KafkaException cause) {
        return new ReaderStoppedException(
                "Kafka at " + config.bootstrapServers() + " does not answer (" + cause.getMessage()
                        + "); check the address, that the brokers are up, and the security settings",
                cause);
    }
}
