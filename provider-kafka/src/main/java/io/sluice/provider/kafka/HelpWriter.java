package io.sluice.provider.kafka;

import io.sluice.provider.announcement.Announcement;
import io.sluice.provider.kafka.thread.FeedLoop;
import io.sluice.provider.kafka.thread.StopSignal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes requests for help with turns. A request that Kafka does not take now is dropped: the process that asks has the
 * announcement, and asks again. The client is made for the first request.
 */
final class HelpWriter implements FeedLoop {
    private static final Logger LOG = LoggerFactory.getLogger(HelpWriter.class);

    private static final int MOST_QUEUED = 256;
    private static final long WAIT_MILLIS = 500;
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final FeedConfig config;
    private final TopicWatch topics;
    private final String topic;
    private final BlockingQueue<Announcement> queued = new ArrayBlockingQueue<>(MOST_QUEUED);
    private final StopSignal stop = new StopSignal();
    /** One line tells when it begins, and none of what follows until a request was taken. */
    private volatile boolean failing;

    HelpWriter(FeedConfig config, TopicWatch topics) {
        this.config = config;
        this.topics = topics;
        this.topic = config.topics().help();
    }

    /** Returns at once; of more than a few hundred that wait, the rest is dropped. */
    void ask(Announcement announcement) {
        var unused = queued.offer(announcement);
    }

    @Override
    public String name() {
        return "sluice-work-help";
    }

    @Override
    public void run() {
        while (!stop.isStopped()) {
            try {
                write();
            } catch (InterruptedException | InterruptException e) {
                stop.stop(); // only closing interrupts this thread
            } catch (RuntimeException | Error e) {
                // Without its thread no request would be sent any more.
                failed(e);
                stop.await(PAUSE);
            }
        }
    }

    private void write() throws InterruptedException {
        Announcement first = null;
        while (first == null && !stop.isStopped()) {
            first = queued.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        }
        if (first == null || topics.find(topic).isEmpty()) {
            return;
        }
        Producer<byte[], byte[]> producer = FeedClients.producer(config);
        try {
            write(producer, first);
        } finally {
            producer.close(CLOSE);
        }
    }

    private void write(Producer<byte[], byte[]> producer, Announcement first) throws InterruptedException {
        @Nullable Announcement next = first;
        while (!stop.isStopped()) {
            if (next != null) {
                send(producer, next);
            }
            next = queued.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void send(Producer<byte[], byte[]> producer, Announcement announcement) {
        byte[] key = announcement.instanceId().getBytes(StandardCharsets.UTF_8);
        var unused = producer.send(new ProducerRecord<>(topic, key, announcement.toJson()), (written, failure) -> {
            if (failure == null) {
                failing = false;
            } else {
                failed(failure);
            }
        });
    }

    private void failed(Throwable failure) {
        if (!failing) {
            LOG.atWarn()
                    .addKeyValue("topic", topic)
                    .setCause(failure)
                    .log("no other process can be asked for help with turns that wait for a dispatcher: "
                            + (failure instanceof AuthorizationException
                                    ? "allow this client's user to write to this topic"
                                    : "check that the brokers are up"));
        }
        failing = true;
    }

    @Override
    public void stop() {
        stop.stop();
    }
}
