package io.sluice.relay.rejected;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.loop.Loop;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Knows how many rejected commands lie in the dead letter topic and were not sent again, of the latest 10 000 records
 * of each partition: reads them once, and after every rest what came since. Thread-safe.
 */
public final class RejectedCount implements AutoCloseable {
    private final KafkaAccess kafka;
    private final String topic;
    private final Duration interval;
    private final Loop loop;
    /** Belongs to the loop. */
    private final Map<Integer, Tail> tails = new HashMap<>();

    private volatile double latest = Double.NaN;
    private volatile double notLookedAt = Double.NaN;

    /** What is known of a partition. */
    private static final class Tail {
        private final TreeSet<Long> open = new TreeSet<>();
        private long next;

        Tail(long next) {
            this.next = next;
        }

        void read(ConsumerRecord<byte[], byte[]> record) {
            ResentMark.offset(record).ifPresent(open::remove);
            if (RejectedCommand.isOne(record)) {
                open.add(record.offset());
            }
        }
    }

    /** Asks nothing yet. */
    public RejectedCount(KafkaAccess kafka, String topic, Duration interval, Duration drainTimeout) {
        this.kafka = kafka;
        this.topic = topic;
        this.interval = interval;
        this.loop = new Loop("sluice-rejected-count", this::step, drainTimeout);
    }

    /** Looks once, and then after every rest. */
    public void start() {
        loop.start();
    }

    /** Some were sent again just now. */
    public void wakeUp() {
        loop.wakeUp();
    }

    private Duration step() {
        try (var reader = new DeadLetterTopicReader(kafka, topic)) {
            var extents = reader.extents();
            tails.keySet().retainAll(extents.keySet());
            extents.forEach((partition, extent) -> read(reader, partition, extent));
            notLookedAt = extents.values().stream()
                    .mapToLong(DeadLetterTopicReader.Extent::notLookedAt)
                    .sum();
            latest = tails.values().stream().mapToInt(tail -> tail.open.size()).sum();
        } catch (RuntimeException e) {
            latest = Double.NaN;
            notLookedAt = Double.NaN;
            throw e;
        }
        return interval;
    }

    private void read(DeadLetterTopicReader reader, int partition, DeadLetterTopicReader.Extent extent) {
        var tail = tails.computeIfAbsent(partition, fresh -> new Tail(extent.from()));
        if (extent.end() < tail.next) {
            // Another topic of this name.
            tail = new Tail(extent.from());
            tails.put(partition, tail);
        }
        reader.read(partition, Math.max(tail.next, extent.from()), extent.end(), tail::read);
        tail.next = extent.end();
        tail.open.headSet(extent.from()).clear();
    }

    /** How many there were at the latest look; NaN when that isn't known. */
    public double latest() {
        return latest;
    }

    /** How many older records of the topic were not looked at; NaN when that isn't known. */
    public double notLookedAt() {
        return notLookedAt;
    }

    @Override
    public void close() {
        loop.close();
    }
}
