package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.kafka.thread.FeedLoop;
import io.sluice.provider.kafka.thread.StopSignal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what other processes are to hear of: requests for help with turns, and records of share groups that this
 * process can't use. What Kafka does not take soon is dropped; who asked for a copy is told. The client is made for the
 * first of them.
 */
final class AnnouncementWriter implements FeedLoop {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncementWriter.class);

    private static final int MOST_QUEUED = 256;
    private static final int LEFT_FOR_COPIES = 64;
    private static final long WAIT_MILLIS = 500;
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final FeedConfig config;
    private final TopicWatch topics;
    private final BlockingDeque<Writing> queued = new LinkedBlockingDeque<>(MOST_QUEUED);
    private final StopSignal stop = new StopSignal();
    /** Topics of which one line told when it began, and nothing of what follows until a record was taken. */
    private final Set<String> failing = ConcurrentHashMap.newKeySet();

    AnnouncementWriter(FeedConfig config, TopicWatch topics) {
        this.config = config;
        this.topics = topics;
    }

    /** A record, and whether it was written in the end. */
    private record Writing(ProducerRecord<byte[], byte[]> message, CompletableFuture<Boolean> written) {}

    /**
     * Asks for help with a turn. Returns at once; of more than a few hundred that wait, the rest is dropped: the
     * process that asks has the announcement, and asks again.
     */
    void askForHelp(Announcement announcement) {
        byte[] key = announcement.instanceId().getBytes(StandardCharsets.UTF_8);
        // By its age others tell whether the help comes too late, so it has to be from now on that it counts.
        long now = System.currentTimeMillis();
        var asked = new ProducerRecord<>(config.topics().help(), null, now, key, announcement.toJson());
        if (queued.remainingCapacity() > LEFT_FOR_COPIES) {
            var unused = queued.offerLast(new Writing(asked, new CompletableFuture<>()));
        }
    }

    /**
     * Writes a copy of a record to the end of its topic, as old as the record is, before all that waits: somebody holds
     * the record until then. Returns at once; completes with whether the copy was written, or not at all when the feed
     * is closed.
     */
    CompletableFuture<Boolean> writeCopy(ConsumerRecord<byte[], byte[]> message, Headers headers) {
        Long timestamp = message.timestamp() < 0 ? null : message.timestamp();
        var copy = new ProducerRecord<>(message.topic(), null, timestamp, message.key(), message.value(), headers);
        var writing = new Writing(copy, new CompletableFuture<>());
        if (!queued.offerFirst(writing)) {
            writing.written().complete(false);
        }
        return writing.written();
    }

    @Override
    public String name() {
        return "sluice-work-writer";
    }

    @Override
    public void run() {
        while (!stop.isStopped()) {
            try {
                Writing first = next();
                if (first != null) {
                    writeFrom(first);
                }
            } catch (InterruptedException | InterruptException e) {
                stop.stop(); // only closing interrupts this thread
            }
        }
    }

    /** Null where there was none for a while. */
    private @Nullable Writing next() throws InterruptedException {
        Writing next = queued.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null && (topics.find(next.message().topic()).isEmpty() || isTooLate(next))) {
            next.written().complete(false);
            return null;
        }
        return next;
    }

    private boolean isTooLate(Writing next) {
        return next.message().topic().equals(config.topics().help())
                && ShareGroup.isHelpOver(next.message().timestamp());
    }

    private void writeFrom(Writing first) throws InterruptedException {
        try {
            Producer<byte[], byte[]> producer = FeedClients.producer(config);
            try {
                write(producer, first);
            } finally {
                producer.close(CLOSE);
            }
        } catch (InterruptException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            // Without its thread nothing would be written any more.
            failed(first, e);
            stop.await(PAUSE);
        }
    }

    private void write(Producer<byte[], byte[]> producer, Writing first) throws InterruptedException {
        @Nullable Writing next = first;
        while (!stop.isStopped()) {
            if (next != null) {
                send(producer, next);
            }
            next = next();
        }
    }

    private void send(Producer<byte[], byte[]> producer, Writing next) {
        try {
            var unused = producer.send(next.message(), (written, failure) -> {
                if (failure == null) {
                    failing.remove(next.message().topic());
                    next.written().complete(true);
                } else {
                    failed(next, failure);
                }
            });
        } catch (RuntimeException | Error e) {
            next.written().complete(false);
            throw e;
        }
    }

    private void failed(Writing writing, Throwable failure) {
        String topic = writing.message().topic();
        if (failing.add(topic)) {
            LOG.atWarn()
                    .addKeyValue("topic", topic)
                    .setCause(failure)
                    .log(
                            "announcements that this process has no free dispatcher for can't be written for other processes: "
                                    + (failure instanceof AuthorizationException
                                            ? "allow this client's user to write to this topic"
                                            : "check that the brokers are up"));
        }
        writing.written().complete(false);
    }

    @Override
    public void stop() {
        stop.stop();
    }
}
