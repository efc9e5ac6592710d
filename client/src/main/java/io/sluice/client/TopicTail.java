package io.sluice.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a topic in a thread of its own, without a consumer group, from its end at the time when the client was opened.
 * The positions are known before the first command is sent and are kept after a failure, so no record is missed.
 */
final class TopicTail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicTail.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final String FAILED = "what becomes of commands can't be read, will try again";
    /** The longest time until an added partition is read. */
    private static final String METADATA_AGE_MILLIS = "10000";

    /** Gets records. */
    interface RecordTaker {
        void take(ConsumerRecord<byte[], byte[]> message);
    }

    private final ClientConfig config;
    private final String topic;
    private final RecordTaker taker;
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);
    /** The next offset of each partition. Used by the thread alone once it runs. */
    private final Map<TopicPartition, Long> positions = new HashMap<>();

    private @Nullable Consumer<byte[], byte[]> consumer;
    private volatile @Nullable Throwable problem;

    /**
     * Reads nothing yet.
     *
     * @param threadName of the thread
     * @param taker gets every record, in that thread; one that it fails at comes again
     */
    TopicTail(ClientConfig config, String topic, String threadName, RecordTaker taker) {
        this.config = config;
        this.topic = topic;
        this.taker = taker;
        this.thread = new Thread(this::listen, threadName);
        thread.setDaemon(true);
    }

    /** Returns when every record from now on will be read. */
    void start() {
        var first = newConsumer();
        try {
            var partitions = partitions(first);
            // Of partitions that are not assigned the consumer warns that it can't note their offsets.
            first.assign(partitions);
            positions.putAll(first.endOffsets(partitions, config.startTimeout()));
            assign(first);
        } catch (RuntimeException e) {
            first.close();
            throw e;
        }
        consumer = first;
        thread.start();
    }

    /** Why the topic can't be read at present; null while it can. */
    @Nullable
    Throwable problem() {
        return problem;
    }

    private void listen() {
        while (stop.getCount() > 0) {
            try {
                step();
                problem = null;
            } catch (RuntimeException e) {
                problem = e;
                LOG.atWarn().addKeyValue("topic", topic).setCause(e).log(FAILED);
                closeConsumer();
                pause();
            } catch (Error e) {
                // Without this thread nobody would be told anything any more.
                problem = e;
                LOG.atError().addKeyValue("topic", topic).setCause(e).log(FAILED);
                closeConsumer();
                pause();
            }
        }
        closeConsumer();
    }

    private void step() {
        var reader = current();
        assignAddedPartitions(reader);
        reader.poll(POLL).forEach(taker::take);
        positions.replaceAll((partition, offset) -> reader.position(partition));
    }

    private Consumer<byte[], byte[]> current() {
        var current = consumer;
        if (current == null) {
            current = newConsumer();
            consumer = current;
            assign(current);
        }
        return current;
    }

    private void assign(Consumer<byte[], byte[]> reader) {
        reader.assign(positions.keySet());
        positions.forEach(reader::seek);
    }

    /** Reads partitions that were added from their beginning: all their records came after the start. */
    private void assignAddedPartitions(Consumer<byte[], byte[]> reader) {
        var known = positions.size();
        partitions(reader).forEach(partition -> positions.putIfAbsent(partition, 0L));
        if (positions.size() > known) {
            assign(reader);
        }
    }

    private List<TopicPartition> partitions(Consumer<byte[], byte[]> reader) {
        return reader.partitionsFor(topic, config.startTimeout()).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
    }

    private Consumer<byte[], byte[]> newConsumer() {
        Map<String, Object> settings = new HashMap<>(config.kafkaSettings());
        settings.putIfAbsent(ConsumerConfig.METADATA_MAX_AGE_CONFIG, METADATA_AGE_MILLIS);
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, IsolationLevel.READ_COMMITTED.toString());
        // Used only when the topic's retention deleted records before this thread read them.
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private void closeConsumer() {
        var current = consumer;
        consumer = null;
        if (current != null) {
            try {
                current.close();
            } catch (RuntimeException e) {
                LOG.atDebug().setCause(e).log("a consumer could not be closed");
            }
        }
    }

    private void pause() {
        try {
            boolean unused = stop.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            stop.countDown(); // an interrupt ends this thread
        }
    }

    /** Begins to end, without a wait. */
    void stop() {
        stop.countDown();
    }

    /** Returns when the thread has ended, at the latest after the client's close timeout. */
    @Override
    public void close() {
        stop();
        try {
            thread.join(config.closeTimeout().toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
