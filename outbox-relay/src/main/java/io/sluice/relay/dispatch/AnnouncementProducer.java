package io.sluice.relay.dispatch;

import io.sluice.relay.history.RangeAnnouncers.Announced;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * Sends announcements by one producer for all ranges, which is created with the first record, and again after a failure
 * that it does not survive. Thread-safe.
 */
final class AnnouncementProducer implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Supplier<Producer<byte[], byte[]>> producers;
    private @Nullable Producer<byte[], byte[]> producer;
    private boolean closed;

    private record Sent(ProducerRecord<byte[], byte[]> announcement, Future<?> result) {}

    AnnouncementProducer(Supplier<Producer<byte[], byte[]>> producers) {
        this.producers = producers;
    }

    /**
     * Begins to send records.
     *
     * @throws RefusedAnnouncementException when one can't even be queued
     * @throws KafkaException when the producer was given up meanwhile
     */
    Announced send(List<ProducerRecord<byte[], byte[]>> records) throws InterruptedException {
        if (records.isEmpty()) {
            return () -> {};
        }
        var used = producer();
        try {
            var sent = new ArrayList<Sent>(records.size());
            for (var message : records) {
                var one = new Sent(message, used.send(message));
                if (one.result().isDone()) {
                    // Each of the next ones would wait for its broker as long as this one did.
                    await(used, List.of(one));
                }
                sent.add(one);
            }
            return () -> await(used, sent);
        } catch (InterruptException e) {
            throw interrupted(e);
        } catch (IllegalStateException e) {
            throw new KafkaException("work could not be announced, its producer was given up: " + e.getMessage(), e);
        }
    }

    /** Sends records and waits until all are taken. */
    void sendAndAwait(List<ProducerRecord<byte[], byte[]>> records) throws InterruptedException {
        send(records).awaitTaken();
    }

    /** Sends a record; the callback gets the result. May wait for a broker, but not for the result. */
    void sendUnawaited(ProducerRecord<byte[], byte[]> message, Callback result) throws InterruptedException {
        try {
            // The callback gets the same result as the future.
            var unused = producer().send(message, result);
        } catch (InterruptException e) {
            throw interrupted(e);
        }
    }

    private void await(Producer<byte[], byte[]> used, List<Sent> sent) throws InterruptedException {
        for (var one : sent) {
            try {
                one.result().get();
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException || isOfTheRecord(e.getCause()))) {
                    giveUp(used);
                }
                throw new RefusedAnnouncementException(one.announcement(), e);
            }
        }
    }

    /** After which the producer still takes the records of other ranges. */
    private static boolean isOfTheRecord(@Nullable Throwable failure) {
        return failure instanceof RecordTooLargeException
                || failure instanceof TopicAuthorizationException
                || failure instanceof InvalidTopicException;
    }

    private static InterruptedException interrupted(InterruptException e) {
        // It has set the flag, which the exception stands for.
        Thread.interrupted();
        var interrupted = new InterruptedException("interrupted while announcing work");
        interrupted.initCause(e);
        return interrupted;
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (closed) {
            throw new IllegalStateException("work can't be announced, the relay closes");
        }
        if (producer == null) {
            producer = producers.get();
        }
        return producer;
    }

    private synchronized void giveUp(Producer<byte[], byte[]> used) {
        if (producer == used) {
            producer = null;
            used.close(Duration.ZERO);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (producer != null) {
            producer.close(CLOSE_TIMEOUT);
            producer = null;
        }
    }
}
