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
 * Reads the reply topic in a thread of its own, without a consumer group, from its end at the time when the client was
 * opened. The positions are known before the first command is sent and are kept after a failure, so no reply is missed.
 * Other replies belong to other clients and are skipped.
 */
final class ReplyListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyListener.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final String FAILED = "replies can't be read, will try again";
    /** The longest time until an added partition is read. */
    private static final String METADATA_AGE_MILLIS = "10000";

    private final ClientConfig config;
    private final String topic;
    private final PendingReplies pending;
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);
    /** The next offset of each partition. Used by the thread alone once it runs. */
    private final Map<TopicPartition, Long> positions = new HashMap<>();

    private @Nullable Consumer<byte[], byte[]> consumer;
    private volatile @Nullable Throwable problem;

    ReplyListener(ClientConfig config, String topic, PendingReplies pending) {
        this.config = config;
        this.topic = topic;
        this.pending = pending;
        this.thread = new Thread(this::listen, "sluice-replies");
        thread.setDaemon(true);
    }

    /** Returns when every reply from now on will be read. */
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

    /** Why replies can't be read at present; null while they can. */
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
                // Without this thread nobody would be told of a reply any more.
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
        reader.poll(POLL).forEach(this::take);
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

    /** Reads partitions that were added from their beginning: all their replies came after the start. */
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

    private void take(ConsumerRecord<byte[], byte[]> message) {
        var commandId = ReplyJson.commandId(message).orElse(null);
        if (commandId == null || !pending.isAwaited(commandId)) {
            return;
        }
        ReplyJson.read(message)
                .filter(reply -> reply.commandId().equals(commandId))
                .ifPresentOrElse(
                        reply -> pending.settle(ReplyJson.instance(message), reply),
                        () -> LOG.atWarn()
                                .addKeyValue("command", commandId)
                                .addKeyValue("topic", topic)
                                .addKeyValue("partition", message.partition())
                                .addKeyValue("offset", message.offset())
                                .log("a reply can't be read and is ignored"));
    }

    private Consumer<byte[], byte[]> newConsumer() {
        Map<String, Object> settings = new HashMap<>(config.kafkaSettings());
        settings.putIfAbsent(ConsumerConfig.METADATA_MAX_AGE_CONFIG, METADATA_AGE_MILLIS);
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, IsolationLevel.READ_COMMITTED.toString());
        // Used only when the topic's retention deleted replies before this thread read them.
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
                LOG.atDebug().setCause(e).log("the consumer of replies could not be closed");
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

    /** Returns when the thread has ended, at the latest after the client's close timeout. */
    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join(config.closeTimeout().toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
