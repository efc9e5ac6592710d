package io.sluice.client.lifecycle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Poll, handle, commit. {@link #run} belongs to one thread; {@link #stop} may come from any. */
final class EventLoop {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final Duration POLL = Duration.ofMillis(200);
    /** A batch begins no event after this part of the time between two polls; the event in hand has the rest. */
    private static final int PART = 10;

    private final ReaderConfig config;
    private final LifecycleHandler handler;
    private final Consumer<byte[], byte[]> consumer;
    private final Places places;
    private final long shareNanos;
    private final Retries retries = new Retries();
    private final Map<TopicPartition, OffsetAndMetadata> handled = new HashMap<>();
    /** Of batches before, not even begun with: theirs is the next turn. */
    private final Set<TopicPartition> passedOver = new HashSet<>();

    private volatile boolean stopped;

    private EventLoop(ReaderConfig config, LifecycleHandler handler, Consumer<byte[], byte[]> consumer) {
        this.config = config;
        this.handler = handler;
        this.consumer = consumer;
        this.places = new Places(config, consumer, this::left);
        this.shareNanos = config.longestBetweenPolls().dividedBy(PART).toNanos();
    }

    /** What was handled there and is not committed comes again at the next owner. */
    private void left(Collection<TopicPartition> partitions) {
        retries.forget(partitions);
        handled.keySet().removeAll(partitions);
        passedOver.removeAll(partitions);
    }

    static EventLoop open(ReaderConfig config, LifecycleHandler handler) {
        var consumer = Places.newConsumer(config);
        try {
            var loop = new EventLoop(config, handler, consumer);
            loop.places.take();
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
                step();
            }
        }
    }

    private void step() {
        try {
            places.takeUpNew();
            consumer.resume(retries.due(System.nanoTime()));
            handleAll(consumer.poll(POLL));
        } catch (NoOffsetForPartitionException e) {
            begin(e.partitions());
        } catch (OffsetOutOfRangeException e) {
            outOfRange(e);
        } finally {
            commit();
        }
    }

    private void outOfRange(OffsetOutOfRangeException e) {
        var asked = e.offsetOutOfRangePartitions();
        try {
            var lost = OutOfRange.lost(
                    asked, consumer.beginningOffsets(asked.keySet()), consumer.endOffsets(asked.keySet()));
            if (lost.isPresent()) {
                throw new ReaderStoppedException(lost.get(), e);
            }
            asked.forEach(consumer::seek);
            LOG.atWarn().addKeyValue("asked", asked).log("the broker does not know yet what it holds, will ask again");
        } catch (TimeoutException unanswered) {
            LOG.atWarn()
                    .addKeyValue("asked", asked)
                    .setCause(unanswered)
                    .log("Kafka does not say what it holds, will ask again");
        }
    }

    /** Where it begins is committed, too: the end of today is not the end of tomorrow. */
    private void begin(Set<TopicPartition> partitions) {
        try {
            places.begin(partitions)
                    .forEach((partition, offset) -> handled.put(partition, new OffsetAndMetadata(offset)));
        } catch (TimeoutException e) {
            LOG.atWarn()
                    .addKeyValue("topic", config.topic())
                    .setCause(e)
                    .log("Kafka does not say where to begin, will ask again");
        }
    }

    /**
     * Handles what there is time for. A group puts out a member that polls too late, and nothing it handled is committed then: the same batch would come again, and again take too long.
     * So the rest of a batch that takes long is given back and polled once more.
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
            if (stopped || !isHandled(partition, message)) {
                return;
            }
            handled.put(partition, new OffsetAndMetadata(message.offset() + 1, message.leaderEpoch(), ""));
        }
    }

    /** False when it is to be handed over again. */
    private boolean isHandled(TopicPartition partition, ConsumerRecord<byte[], byte[]> message) {
        LifecycleEvent event;
        try {
            event = event(message);
        } catch (IllegalArgumentException e) {
            var bad = new BadRecord(message, String.valueOf(e.getMessage()));
            return judged(partition, message, handler.onBadRecord(bad), e);
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
            return judged(partition, message, handler.onFailure(event, e, attempts), e);
        }
    }

    private static LifecycleEvent event(ConsumerRecord<byte[], byte[]> message) {
        if (message.value() == null) {
            throw new IllegalArgumentException("no LifecycleEvent: the record has no value");
        }
        return LifecycleJson.event(message.value());
    }

    private boolean judged(
            TopicPartition partition, ConsumerRecord<byte[], byte[]> message, Verdict verdict, Exception why) {
        LOG.atWarn()
                .addKeyValue("partition", partition)
                .addKeyValue("offset", message.offset())
                .addKeyValue("verdict", verdict)
                .setCause(why)
                .log("an event was not handled");
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
                        "told to stop at " + partition + "@" + message.offset() + " of group " + config.group() + ": "
                                + why.getMessage(),
                        why);
        };
    }

    private void commit() {
        if (Thread.interrupted()) {
            stopped = true;
        }
        if (config.group() == null || handled.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(Map.copyOf(handled));
            handled.clear();
        } catch (CommitFailedException | RebalanceInProgressException e) {
            handled.clear();
            LOG.atWarn()
                    .addKeyValue("group", config.group())
                    .setCause(e)
                    .log("partitions went to another member before their events were committed: they come again there");
        } catch (RetriableException e) {
            LOG.atWarn().addKeyValue("group", config.group()).setCause(e).log("not committed yet");
        }
    }
}
