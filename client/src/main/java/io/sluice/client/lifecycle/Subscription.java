package io.sluice.client.lifecycle;

import java.time.Duration;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The partitions of a reader, and the offset at which it begins each. Used by the reader's thread alone once it is
 * made.
 */
final class Subscription implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(Subscription.class);
    private static final int POLL_RECORDS = 100;
    private static final int TRIES = 10;
    private static final long PAUSE_MILLIS = 200;
    /** The longest time until an added partition is noticed. */
    private static final int METADATA_AGE_MILLIS = 10_000;
    /** For a question that a step asks; closing waits for it. */
    private static final Duration QUESTION_LIMIT = Duration.ofSeconds(1);

    private final ReaderConfig config;
    private final Consumer<byte[], byte[]> consumer;
    private final RevocationListener listener;
    /** The partitions of a reader without a group. */
    private final Set<TopicPartition> assigned = new HashSet<>();
    /** Whether the latest question for the topic's partitions was not answered. */
    private boolean unanswered;

    /** Called when partitions go to another member of the group. */
    interface RevocationListener {
        void revoked(Collection<TopicPartition> partitions);
    }

    Subscription(ReaderConfig config, Consumer<byte[], byte[]> consumer, RevocationListener listener) {
        this.config = config;
        this.consumer = consumer;
        this.listener = listener;
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
        // The configuration says where to begin; Kafka must not skip events that were deleted unread.
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        try {
            return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (KafkaException e) {
            throw unanswered(config, e);
        }
    }

    /**
     * Subscribes as a member of the group, or without one takes all partitions.
     *
     * @throws ReaderStoppedException when Kafka does not answer, or the topic is missing
     */
    void open() {
        try {
            var partitions = awaitPartitions();
            if (partitions.isEmpty()) {
                throw new ReaderStoppedException(
                        "topic " + config.topic()
                                + " is missing; the relay makes it: run it with SLUICE_STREAMS=true, or its provision",
                        null);
            }
            if (config.group() == null) {
                assigned.addAll(partitions);
                consumer.assign(assigned);
                seekToStart(partitions);
            } else {
                consumer.subscribe(List.of(config.topic()), this);
            }
        } catch (TimeoutException e) {
            throw unanswered(config, e);
        }
    }

    /**
     * Without a group, reads partitions that were added, from their beginning; for a group Kafka assigns them. While
     * Kafka does not answer, none is added.
     */
    void assignAddedPartitions() {
        if (config.group() != null) {
            return;
        }
        try {
            assignAdded();
            unanswered = false;
        } catch (TimeoutException e) {
            LOG.atLevel(unanswered ? Level.DEBUG : Level.WARN)
                    .addKeyValue("topic", config.topic())
                    .setCause(e)
                    .log("Kafka does not answer with the topic's partitions, will ask again");
            unanswered = true;
        }
    }

    private void assignAdded() {
        // The consumer forgets the topic when no broker was there for a while, and then asks.
        var added = partitions(QUESTION_LIMIT).stream()
                .filter(partition -> !assigned.contains(partition))
                .toList();
        if (!added.isEmpty()) {
            var begins = consumer.beginningOffsets(added, config.startTimeout());
            assigned.addAll(added);
            consumer.assign(assigned);
            begins.forEach(consumer::seek);
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        // The consumer asks where to begin partitions for which the group has no offset, see seekToStart.
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        listener.revoked(partitions);
    }

    /**
     * Moves to where the configuration says that reading begins.
     *
     * @return the offsets
     * @throws TimeoutException when Kafka does not answer
     */
    Map<TopicPartition, Long> seekToStart(Collection<TopicPartition> partitions) {
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

    /** Waits for a moment: a broker may not know yet a topic that was just created. */
    private List<TopicPartition> awaitPartitions() {
        var partitions = partitions(config.startTimeout());
        for (int tries = 1; tries < TRIES && partitions.isEmpty(); tries++) {
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return partitions;
            }
            partitions = partitions(config.startTimeout());
        }
        return partitions;
    }

    private List<TopicPartition> partitions(Duration limit) {
        return consumer.partitionsFor(config.topic(), limit).stream()
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
