package io.sluice.client.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The consumer's loop: polls lifecycle events, gives each to the {@link LifecycleHandler}, and commits the offsets of
 * the handled ones. {@link #run} belongs to one thread; {@link #stop} may come from any.
 */
final class LifecycleConsumerLoop {
    private static final Logger LOG = LoggerFactory.getLogger(LifecycleConsumerLoop.class);
    private static final Duration POLL = Duration.ofMillis(200);
    /**
     * No further event of a batch is begun after a tenth of {@code max.poll.interval.ms}; the rest is for the event in
     * progress.
     */
    private static final int SHARE = 10;

    private final ReaderConfig config;
    private final LifecycleHandler handler;
    private final Consumer<byte[], byte[]> consumer;
    private final Subscription subscription;
    private final long shareNanos;
    private final Retries retries = new Retries();
    private final HandledOffsets handled;
    /** Partitions whose last batch was not begun for lack of time; they are first in the next one. */
    private final Set<TopicPartition> passedOver = new HashSet<>();

    private volatile boolean stopped;

    private LifecycleConsumerLoop(ReaderConfig config, LifecycleHandler handler, Consumer<byte[], byte[]> consumer) {
        this.config = config;
        this.handler = handler;
        this.consumer = consumer;
        this.subscription = new Subscription(config, consumer, this::forget);
        this.handled = new HandledOffsets(config.group(), consumer);
        this.shareNanos = config.longestBetweenPolls().dividedBy(SHARE).toNanos();
    }

    /** These partitions went to another member, which gets events again that were handled and not committed. */
    private void forget(Collection<TopicPartition> partitions) {
        retries.forget(partitions);
        handled.forget(partitions);
        passedOver.removeAll(partitions);
    }

    static LifecycleConsumerLoop open(ReaderConfig config, LifecycleHandler handler) {
        var consumer = Subscription.newConsumer(config);
        try {
            var loop = new LifecycleConsumerLoop(config, handler, consumer);
            loop.subscription.open();
            return loop;
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
    }

    void stop() {
        stopped = true;
    }

    void run() {
        try (consumer) {
            while (!stopped) {
                stepUnlessInterrupted();
            }
        }
    }

    /** Any call of Kafka's may be interrupted, which only closing does: the thread is ours. */
    private void stepUnlessInterrupted() {
        try {
            step();
        } catch (InterruptException e) {
            stopped = true;
            // It has set the flag, with which the consumer would not close in order.
            boolean unused = Thread.interrupted();
        }
    }

    private void step() {
        try {
            subscription.assignAddedPartitions();
            consumer.resume(retries.due(System.nanoTime()));
            handleAll(consumer.poll(POLL));
        } catch (NoOffsetForPartitionException e) {
            seekToStart(e.partitions());
        } catch (OffsetOutOfRangeException e) {
            seekAgainUnlessLost(e);
        } finally {
            commit();
        }
    }

    private void seekAgainUnlessLost(OffsetOutOfRangeException e) {
        var asked = e.offsetOutOfRangePartitions();
        try {
            var lost = OutOfRange.lost(
                    asked, consumer.beginningOffsets(asked.keySet()), consumer.endOffsets(asked.keySet()));
            if (lost.isPresent()) {
                throw new ReaderStoppedException(lost.get(), e);
            }
            asked.forEach(consumer::seek);
            LOG.atWarn()
                    .addKeyValue("asked", asked)
                    .log("the broker does not know the topic's offsets yet, will ask again");
        } catch (TimeoutException unanswered) {
            LOG.atWarn()
                    .addKeyValue("asked", asked)
                    .setCause(unanswered)
                    .log("Kafka does not answer with the topic's offsets, will ask again");
        }
    }

    /** The start is committed too: a reader that begins at the end must not begin at a later end next time. */
    private void seekToStart(Set<TopicPartition> partitions) {
        try {
            subscription
                    .seekToStart(partitions)
                    .forEach((partition, offset) -> handled.put(partition, new OffsetAndMetadata(offset)));
        } catch (TimeoutException e) {
            LOG.atWarn()
                    .addKeyValue("topic", config.topic())
                    .setCause(e)
                    .log("Kafka does not answer with the offsets to begin at, will ask again");
        }
    }

    /**
     * Handles as many events as there is time for. A group expels a member that polls too late, and nothing it handled
     * is committed then: the same batch would come again, and again take too long. So the rest of a batch that takes
     * long is polled once more.
     */
    private void handleAll(ConsumerRecords<byte[], byte[]> messages) {
        long begunNanos = System.nanoTime();
        var partitions = new ArrayList<>(messages.partitions());
        partitions.sort(Comparator.comparing(partition -> !passedOver.contains(partition)));
        for (var partition : partitions) {
            if (System.nanoTime() - begunNanos > shareNanos) {
                passedOver.add(partition);
            } else {
                passedOver.remove(partition);
            }
            handleAll(partition, messages.records(partition), begunNanos);
        }
    }

    private void handleAll(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> messages, long begunNanos) {
        for (var message : messages) {
            if (System.nanoTime() - begunNanos > shareNanos) {
                consumer.seek(partition, new OffsetAndMetadata(message.offset(), message.leaderEpoch(), ""));
                return;
            }
            if (stopped || !tryHandle(partition, message)) {
                return;
            }
            handled.put(partition, new OffsetAndMetadata(message.offset() + 1, message.leaderEpoch(), ""));
        }
    }

    /** Returns false when the event is to be handled again. */
    private boolean tryHandle(TopicPartition partition, ConsumerRecord<byte[], byte[]> message) {
        LifecycleEvent event;
        try {
            event = event(message);
        } catch (IllegalArgumentException e) {
            var bad = new BadRecord(message, String.valueOf(e.getMessage()));
            Verdict verdict = handler.onBadRecord(bad);
            log(partition, message, verdict, e).log("a record is not a readable lifecycle event");
            return apply(partition, message, verdict, e);
        }
        try {
            handler.handle(event);
            retries.succeeded(partition);
            return true;
        } catch (InterruptedException e) {
            stopped = true; // the thread is ours, and only closing interrupts it
            return false;
        } catch (Exception e) {
            int attempts = retries.attemptsAt(partition, message.offset()) + 1;
            Verdict verdict = handler.onFailure(event, e, attempts);
            log(partition, message, verdict, e).log("the handler failed on a lifecycle event");
            return apply(partition, message, verdict, e);
        }
    }

    private static LifecycleEvent event(ConsumerRecord<byte[], byte[]> message) {
        if (message.value() == null) {
            throw new IllegalArgumentException("no LifecycleEvent: the record has no value");
        }
        return LifecycleJson.event(message.value());
    }

    private static LoggingEventBuilder log(
            TopicPartition partition, ConsumerRecord<byte[], byte[]> message, Verdict verdict, Exception why) {
        return LOG.atWarn()
                .addKeyValue("partition", partition)
                .addKeyValue("offset", message.offset())
                .addKeyValue("verdict", verdict)
                .setCause(why);
    }

    /** Returns false when the event is to be handled again. */
    private boolean apply(
            TopicPartition partition, ConsumerRecord<byte[], byte[]> message, Verdict verdict, Exception why) {
        return switch (verdict) {
            case SKIP -> {
                retries.succeeded(partition);
                yield true;
            }
            case RETRY -> {
                consumer.seek(partition, message.offset());
                consumer.pause(List.of(partition));
                retries.failed(partition, message.offset(), System.nanoTime());
                yield false;
            }
            case STOP ->
                throw new ReaderStoppedException(
                        "the handler stopped at " + partition + "@" + message.offset() + " of group " + config.group()
                                + ": " + why.getMessage(),
                        why);
        };
    }

    private void commit() {
        if (Thread.interrupted()) {
            stopped = true;
        }
        handled.commit();
    }
}
