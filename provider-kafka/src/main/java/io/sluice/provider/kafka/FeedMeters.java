package io.sluice.provider.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.provider.announcement.MalformedAnnouncementException;
import io.sluice.provider.announcement.WorkQueue;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a feed does, as Micrometer meters, and the log of records that are no announcements. Thread-safe. */
final class FeedMeters {
    private static final Logger LOG = LoggerFactory.getLogger(FeedMeters.class);
    private static final long BETWEEN_LINES_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String prefix;
    private final MeterRegistry registry;
    private final AtomicLong lineDueNanos = new AtomicLong(System.nanoTime());

    /** @param prefix of the topics, which tells feeds of several stores apart */
    FeedMeters(String prefix, @Nullable MeterRegistry registry) {
        this.prefix = prefix;
        this.registry = registry == null ? new SimpleMeterRegistry() : registry;
    }

    void announced(WorkQueue queue) {
        counter("sluice.work.announcements", "Announcements of work that were read", tag(queue))
                .increment();
    }

    void helpAsked() {
        Counter.builder("sluice.work.help.requests")
                .description("Requests of other processes for help with turns that were read")
                .register(registry)
                .increment();
    }

    void gap(WorkQueue queue) {
        counter("sluice.work.gaps", "Times when announcements may have been lost", tag(queue))
                .increment();
    }

    /** Counts a record, and names it in the log once a minute. Its bytes may hold anything, so they stay out. */
    void malformed(ConsumerRecord<byte[], byte[]> message, MalformedAnnouncementException why) {
        counter("sluice.work.malformed", "Records that can't be read", tag(message.topic()))
                .increment();
        long now = System.nanoTime();
        long due = lineDueNanos.get();
        if (now - due >= 0 && lineDueNanos.compareAndSet(due, now + BETWEEN_LINES_NANOS)) {
            LOG.atWarn()
                    .addKeyValue("topic", message.topic())
                    .addKeyValue("partition", message.partition())
                    .addKeyValue("offset", message.offset())
                    .addKeyValue("why", why.getMessage())
                    .log("a record can't be read and is skipped; the next minute's are only counted");
        }
    }

    /**
     * Whether all announcements of a queue can be relied on, as a gauge.
     *
     * @return removes the gauge, which would keep what it reads alive
     */
    Runnable healthy(WorkQueue queue, BooleanSupplier isHealthy) {
        Gauge gauge = Gauge.builder("sluice.work.feed.healthy", () -> isHealthy.getAsBoolean() ? 1 : 0)
                .description("1 while the announcements can be relied on, 0 while the store is queried instead")
                .tag("prefix", prefix)
                .tag("queue", tag(queue))
                .register(registry);
        return () -> registry.remove(gauge);
    }

    private Counter counter(String name, String description, String queue) {
        return Counter.builder(name)
                .description(description)
                .tag("queue", queue)
                .register(registry);
    }

    private static String tag(String topic) {
        return topic.substring(topic.lastIndexOf('.') + 1);
    }

    private static String tag(WorkQueue queue) {
        return queue.name().toLowerCase(Locale.ROOT);
    }
}
