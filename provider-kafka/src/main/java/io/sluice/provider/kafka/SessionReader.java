package io.sluice.provider.kafka;

import io.sluice.provider.announcement.WorkFeed;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads announcements of activities that belong to a session. Only the session's owner may run them, and a share group
 * does not know owners, so every process reads all of them, without a group. Used by one thread.
 */
final class SessionReader implements TopicReader {
    private static final Duration POLL = Duration.ofMillis(200);

    private final SubscriptionTarget target;
    private final Consumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> next = new HashMap<>();
    private final Broadcast receipt = new Broadcast();

    private SessionReader(SubscriptionTarget target, Consumer<byte[], byte[]> consumer) {
        this.target = target;
        this.consumer = consumer;
    }

    static SessionReader open(FeedConfig config, SubscriptionTarget target, TopicState topic) {
        SessionReader reader = new SessionReader(target, FeedClients.assignedConsumer(config, "sessions"));
        List<TopicPartition> partitions = topic.all();
        reader.consumer.assign(partitions);
        try {
            reader.startAtEnd(partitions);
        } catch (RuntimeException | Error e) {
            reader.consumer.close();
            throw e;
        }
        return reader;
    }

    /** Nobody knows what was announced before. */
    private void startAtEnd(Collection<TopicPartition> partitions) {
        consumer.endOffsets(partitions).forEach((partition, offset) -> {
            consumer.seek(partition, offset);
            next.put(partition, offset);
        });
        target.lost();
    }

    @Override
    public void step() {
        try {
            consumer.poll(POLL).forEach(this::take);
        } catch (OffsetOutOfRangeException e) {
            startAtEnd(e.partitions());
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
        Long expected = next.put(new TopicPartition(message.topic(), message.partition()), message.offset() + 1);
        if (expected == null || expected != message.offset()) {
            target.lost();
        }
        target.read(message)
                .filter(SubscriptionTarget::mayBeOfSession)
                .ifPresent(announcement -> target.announce(announcement, receipt));
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
        receipt.current = false;
        consumer.close(CloseOptions.timeout(timeout));
    }

    /** Every process got the record, so no answer is awaited. */
    private static final class Broadcast implements WorkFeed.Receipt {
        private volatile boolean current = true;

        @Override
        public void handled() {}

        @Override
        public void returned() {}

        @Override
        public boolean isCurrent() {
            return current;
        }
    }
}
