package io.sluice.relay.deadletter;

import io.sluice.provider.outbox.FailedIntent;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.relay.log.FailureReason;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes intents that failed for good to the dead letter topic. The store is the truth: an intent is published until
 * its document says that it was, so one that failed while Kafka was away is published later, and a process that dies in
 * between publishes it again, with the same {@code sluice-id}.
 */
public final class DeadLetterPublisher implements AutoCloseable {
    private static final int REPEATEDLY = 3;

    private final FailedIntents failed;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final String topic;
    private final Duration interval;
    private final Loop loop;
    /**
     * Documents as large as documents may be, in which nothing can be noted. After a restart they are published once
     * more, under the same id.
     */
    private final Set<String> withoutRoom = new HashSet<>();

    private int failures;
    private volatile @Nullable String trouble;
    private volatile boolean closed;

    /**
     * Makes nothing yet.
     *
     * @param interval between two looks when nobody {@linkplain #wakeUp wakes it up}
     */
    public DeadLetterPublisher(
            FailedIntents failed,
            Supplier<Producer<byte[], byte[]>> producers,
            String topic,
            Duration interval,
            Duration drainTimeout) {
        this.failed = failed;
        this.producers = producers;
        this.topic = topic;
        this.interval = interval;
        this.loop = new Loop("sluice-dead-letters", this::step, drainTimeout);
    }

    /** Looks once, and then after every rest. */
    public void start() {
        loop.start();
    }

    /** Something failed for good just now. */
    public void wakeUp() {
        loop.wakeUp();
    }

    /** What keeps dead letters from being published; null when nothing does, or only did so once or twice. */
    public @Nullable String trouble() {
        return trouble;
    }

    private Duration step() throws InterruptedException, ExecutionException {
        try {
            publishAll();
            failures = 0;
            trouble = null;
            return interval;
        } catch (ExecutionException | RuntimeException e) {
            failures++;
            if (failures >= REPEATEDLY) {
                trouble = FailureReason.of(e);
            }
            throw e;
        }
    }

    /** Page by page, so that many don't need much memory and what was published is noted while the rest waits. */
    private void publishAll() throws InterruptedException, ExecutionException {
        Producer<byte[], byte[]> producer = null;
        ExecutionException refused = null;
        try {
            String next = null;
            do {
                var page = failed.unreported(next);
                var open = page.failed().stream()
                        .filter(one -> !withoutRoom.contains(id(one)))
                        .toList();
                if (!open.isEmpty()) {
                    // Rare enough to open a connection for each look that finds something.
                    producer = producer == null ? producers.get() : producer;
                    var one = publish(producer, open);
                    refused = one == null ? refused : one;
                }
                next = page.next();
            } while (next != null && !closed);
        } finally {
            if (producer != null) {
                producer.close();
            }
        }
        if (refused != null) {
            throw refused;
        }
    }

    /**
     * Publishes some, each for itself.
     *
     * @return why one of them was refused; null when none was
     * @throws ExecutionException when all were: then it is for no fault of theirs
     */
    private @Nullable ExecutionException publish(Producer<byte[], byte[]> producer, List<FailedIntent> open)
            throws InterruptedException, ExecutionException {
        Map<FailedIntent, Future<?>> sent = new LinkedHashMap<>();
        open.forEach(one -> sent.put(one, producer.send(IntentDeadLetter.of(one, topic))));
        producer.flush();
        ExecutionException refused = null;
        boolean anyIsOut = false;
        for (var publication : sent.entrySet()) {
            try {
                publication.getValue().get();
                anyIsOut = true;
                published(publication.getKey());
            } catch (ExecutionException e) {
                // The others are out: they must not come again because of this one.
                refused = e;
            }
        }
        if (refused != null && !anyIsOut) {
            throw refused;
        }
        return refused;
    }

    private void published(FailedIntent one) {
        if (!failed.markReported(one)) {
            withoutRoom.add(id(one));
        }
    }

    private static String id(FailedIntent one) {
        return one.intent().key() + ":" + one.intent().retry();
    }

    @Override
    public void close() {
        closed = true;
        loop.close();
    }
}
