package io.sluice.relay.rejected;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Counts the rejected commands in the dead letter topic that were not sent again, among the latest 10 000 records of
 * each partition. It reads them once, and the new ones after every interval and {@linkplain #wakeUp when there are
 * some}. Thread-safe.
 */
public final class RejectedCount implements AutoCloseable {
    /** Brokers show a transaction a moment after its commit, so one count after it may be too early. */
    private static final int COUNTS_AFTER_CHANGE = 3;

    private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(1);

    private final KafkaAccess kafka;
    private final String topic;
    private final Duration interval;
    private final Loop loop;
    /** Belongs to the loop. */
    private final Map<Integer, Tail> tails = new HashMap<>();

    /** Counts that are still due because of a change. */
    private final AtomicInteger due = new AtomicInteger();

    private volatile double latest = Double.NaN;
    private volatile double notRead = Double.NaN;

    /** The rejected commands of a partition, as far as it was read. */
    private static final class Tail {
        private final TreeSet<Long> open = new TreeSet<>();
        private long next;

        Tail(long next) {
            this.next = next;
        }

        void read(ConsumerRecord<byte[], byte[]> record) {
            ResentMark.offset(record).ifPresent(open::remove);
            if (RejectedCommand.isRejectedCommand(record)) {
                open.add(record.offset());
            }
        }
    }

    /** Reads nothing yet. */
    public RejectedCount(KafkaAccess kafka, String topic, Duration interval, Duration drainTimeout) {
        this.kafka = kafka;
        this.topic = topic;
        this.interval = interval;
        this.loop = new Loop("sluice-rejected-count", this::step, drainTimeout);
    }

    /** Counts once, and then after every interval. */
    public void start() {
        loop.start();
    }

    /** Counts now, as commands were rejected or sent again; while that goes on, at most once a second. */
    public void wakeUp() {
        if (due.getAndSet(COUNTS_AFTER_CHANGE) == 0) {
            loop.wakeUp();
        }
    }

    private Duration step() {
        try (var reader = new DeadLetterTopicReader(kafka, topic)) {
            var extents = reader.extents();
            tails.keySet().retainAll(extents.keySet());
            extents.forEach((partition, extent) -> read(reader, partition, extent));
            notRead = extents.values().stream()
                    .mapToLong(DeadLetterTopicReader.Extent::notRead)
                    .sum();
            latest = tails.values().stream().mapToInt(tail -> tail.open.size()).sum();
        } catch (RuntimeException e) {
            latest = Double.NaN;
            notRead = Double.NaN;
            throw e;
        }
        return due.updateAndGet(counts -> Math.max(0, counts - 1)) > 0 ? BETWEEN_COUNTS : interval;
    }

    private void read(DeadLetterTopicReader reader, int partition, DeadLetterTopicReader.Extent extent) {
        var tail = tails.computeIfAbsent(partition, fresh -> new Tail(extent.from()));
        if (extent.end() < tail.next) {
            // The topic was deleted and created again.
            tail = new Tail(extent.from());
            tails.put(partition, tail);
        }
        reader.read(partition, Math.max(tail.next, extent.from()), extent.end(), tail::read);
        tail.next = extent.end();
        tail.open.headSet(extent.from()).clear();
    }

    /** The latest count; NaN if unknown. */
    public double latest() {
        return latest;
    }

    /** The number of older records that were not read; NaN if unknown. */
    public double notRead() {
        return notRead;
    }

    @Override
    public void close() {
        loop.close();
    }
}
