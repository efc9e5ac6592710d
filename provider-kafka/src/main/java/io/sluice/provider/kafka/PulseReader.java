package io.sluice.provider.kafka;

import io.sluice.provider.announcement.MalformedAnnouncementException;
import io.sluice.provider.announcement.Pulse;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the pulses of relays without a group. Those from before the reader's start are old, nobody knows how old, so it
 * begins at the end. Used by one thread.
 */
final class PulseReader implements TopicReader {
    private static final Duration POLL = Duration.ofMillis(200);

    private final Consumer<byte[], byte[]> consumer;
    private final Collection<PulseHealth> listeners;
    private final FeedMeters meters;

    private PulseReader(Consumer<byte[], byte[]> consumer, Collection<PulseHealth> listeners, FeedMeters meters) {
        this.consumer = consumer;
        this.listeners = listeners;
        this.meters = meters;
    }

    /** @param listeners may become more */
    static ReaderLoop loop(FeedConfig config, TopicWatch topics, Collection<PulseHealth> listeners, FeedMeters meters) {
        return new ReaderLoop(
                "sluice-work-pulse",
                config.topics().pulse(),
                config,
                topics,
                topic ->
                        open(topic, new PulseReader(FeedClients.assignedConsumer(config, "pulse"), listeners, meters)));
    }

    private static PulseReader open(TopicState topic, PulseReader reader) {
        List<TopicPartition> partitions = topic.all();
        reader.consumer.assign(partitions);
        try {
            reader.seek(reader.consumer.endOffsets(partitions));
        } catch (RuntimeException | Error e) {
            reader.consumer.close();
            throw e;
        }
        return reader;
    }

    private void seek(Map<TopicPartition, Long> offsets) {
        offsets.forEach(consumer::seek);
    }

    @Override
    public void step() {
        try {
            consumer.poll(POLL).forEach(this::take);
        } catch (OffsetOutOfRangeException e) {
            seek(consumer.beginningOffsets(e.partitions()));
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
        if (message.value() == null) {
            return;
        }
        try {
            Pulse pulse = Pulse.fromJson(message.value());
            listeners.forEach(listener -> listener.heard(pulse, System.nanoTime()));
        } catch (MalformedAnnouncementException e) {
            meters.malformed(message, e);
        }
    }

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void wakeup() {
        consumer.wakeup();
    }

    @Override
    public void close(Duration timeout) {
        consumer.close(CloseOptions.timeout(timeout));
    }
}
