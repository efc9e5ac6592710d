package io.sluice.relay.verify;

import io.sluice.program.PrerequisiteException;
import io.sluice.relay.event.EventEnvelope;
import io.sluice.relay.event.EventId;
import io.sluice.relay.kafka.KafkaAccess;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The history topic up to its present end: committed records, all partitions by one consumer. */
final class PublishedHistory {
    private static final Logger LOG = LoggerFactory.getLogger(PublishedHistory.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    /** A transaction that is open when the reading begins ends sooner. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** By how much the clocks of store, relay and brokers may differ. */
    private static final Duration ALLOWANCE = Duration.ofMinutes(10);

    /** Of a partition that has every record it ever got: what is missing in it was never published. */
    static final Retention.Known WHOLE = new Retention.Known(Retention.NOTHING + 1, 0);

    /** How many records apart it is remembered when they were written. */
    private static final long APART = 1_000;

    private static final long SHOWN_EVERY = 1_000_000;

    private final KafkaAccess kafka;
    private final Admin admin;
    private final String topic;

    PublishedHistory(KafkaAccess kafka, Admin admin, String topic) {
        this.kafka = kafka;
        this.admin = admin;
        this.topic = topic;
    }

    /** Takes what is read. */
    interface Reader {
        /** The record of an event, or of a deletion. */
        void take(PublishedEntry entry);

        /** A record that is not as a relay writes it. */
        void found(Finding finding);
    }

    /**
     * Reads the topic.
     *
     * @param since records of earlier events may be left out; null for none
     * @throws PrerequisiteException if Kafka does not answer, or a transaction stays open
     */
    Retention read(int partitions, @Nullable Instant since, Reader reader) {
        var all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        try (Consumer<byte[], byte[]> consumer = kafka.reader()) {
            var ends = ends(all);
            consumer.assign(all);
            var starts = consumer.beginningOffsets(all);
            var from = from(consumer, all, starts, since);
            from.forEach(consumer::seek);
            var seen = new Seen(partitions);
            readTo(ends, consumer, record -> {
                seen.add(record);
                take(record, reader);
            });
            // Once more: what was removed meanwhile may have been passed over.
            var now = consumer.beginningOffsets(all);
            return seen.retention(from, now);
        } catch (KafkaException e) {
            throw new PrerequisiteException("can't read topic " + topic + ": " + e.getMessage(), e);
        }
    }

    /** Of all records, also those of a transaction that is open: what was committed before this call is before them. */
    private Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
        var latest = partitions.stream().collect(Collectors.toMap(Function.identity(), each -> OffsetSpec.latest()));
        try {
            return admin
                    .listOffsets(latest, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                    .all()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .entrySet()
                    .stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, each -> each.getValue().offset()));
        } catch (ExecutionException | TimeoutException e) {
            throw new PrerequisiteException("can't ask for the ends of topic " + topic + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PrerequisiteException("interrupted while reading topic " + topic, e);
        }
    }

    private static Map<TopicPartition, Long> from(
            Consumer<byte[], byte[]> consumer,
            Collection<TopicPartition> partitions,
            Map<TopicPartition, Long> starts,
            @Nullable Instant since) {
        if (since == null) {
            return starts;
        }
        long millis = Math.max(0, since.minus(ALLOWANCE).toEpochMilli());
        var found = consumer.offsetsForTimes(
                partitions.stream().collect(Collectors.toMap(Function.identity(), each -> millis)));
        var ends = consumer.endOffsets(partitions);
        return partitions.stream()
                .collect(Collectors.toMap(
                        Function.identity(),
                        each -> Optional.ofNullable(found.get(each))
                                .map(at -> at.offset())
                                .orElseGet(() -> ends.getOrDefault(each, 0L))));
    }

    private void readTo(
            Map<TopicPartition, Long> ends,
            Consumer<byte[], byte[]> consumer,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        var open = new HashSet<>(ends.keySet());
        long read = 0;
        long progressNanos = System.nanoTime();
        while (true) {
            var reached = open.stream()
                    .filter(each -> consumer.position(each) >= ends.getOrDefault(each, 0L))
                    .toList();
            consumer.pause(reached);
            open.removeAll(reached);
            if (open.isEmpty()) {
                return;
            }
            var records = consumer.poll(POLL);
            if (!records.isEmpty() || !reached.isEmpty()) {
                progressNanos = System.nanoTime();
            } else if (System.nanoTime() - progressNanos > PATIENCE.toNanos()) {
                throw new PrerequisiteException(
                        "topic " + topic + " can't be read to its end: for " + PATIENCE.toSeconds()
                                + " s nothing came of " + open
                                + "; a transaction is open, or a partition has no leader",
                        null);
            }
            for (var record : records) {
                var end = ends.get(new TopicPartition(record.topic(), record.partition()));
                if (end != null && record.offset() < end) {
                    reader.accept(record);
                    if (++read % SHOWN_EVERY == 0) {
                        LOG.atInfo().addKeyValue("records", read).log("read a part of the history topic");
                    }
                }
            }
        }
    }

    private static void take(ConsumerRecord<byte[], byte[]> record, Reader reader) {
        var key = text(record.key());
        var ceId = EventEnvelope.header(record.headers(), "ce_id");
        var value = record.value();
        boolean isDeletion = EventEnvelope.INSTANCE_DELETED.equals(EventEnvelope.header(record.headers(), "ce_type"));
        var event = ceId == null || isDeletion ? Optional.<EventId>empty() : EventId.parse(ceId);
        if (key == null || ceId == null || value == null || (event.isEmpty() && !isDeletion)) {
            reader.found(new Finding(
                    Finding.Kind.FOREIGN, key, ceId, record.partition(), record.offset(), "not written by a relay"));
            return;
        }
        var instance = event.map(EventId::instance).orElse(key);
        if (!instance.equals(key)) {
            reader.found(new Finding(
                    Finding.Kind.ALTERED, key, ceId, record.partition(), record.offset(), "under the key " + key));
        }
        reader.take(new PublishedEntry(
                record.partition(), record.offset(), instance, event.orElse(null), ceId, Digest.of(value)));
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    /** What was read of each partition, as far as it tells what was removed. */
    private static final class Seen {
        private final int partitions;
        private final Map<Integer, NavigableMap<Long, Long>> millis = new HashMap<>();
        private boolean isGrown;

        private Seen(int partitions) {
            this.partitions = partitions;
        }

        /** Keeps when the first record of each thousand was written. */
        private void add(ConsumerRecord<byte[], byte[]> record) {
            var known = millis.computeIfAbsent(record.partition(), partition -> new TreeMap<>());
            if (known.isEmpty() || record.offset() - known.lastKey() >= APART) {
                known.put(record.offset(), record.timestamp());
            }
            var key = text(record.key());
            isGrown |= key != null && Retention.home(key, partitions) != record.partition();
        }

        private Retention retention(Map<TopicPartition, Long> from, Map<TopicPartition, Long> beginnings) {
            var known = new HashMap<Integer, Retention.Known>();
            from.forEach((partition, start) ->
                    known.put(partition.partition(), known(partition.partition(), start, beginnings.get(partition))));
            return new Retention(known, isGrown);
        }

        /** A partition loses its oldest records. What was published after the oldest one that is left is there. */
        private Retention.Known known(int partition, long start, @Nullable Long beginning) {
            if (beginning == null || beginning == 0) {
                return start == 0 ? WHOLE : new Retention.Known(Retention.NOTHING, start);
            }
            if (beginning < start) {
                return new Retention.Known(Retention.NOTHING, start);
            }
            var left = millis.getOrDefault(partition, new TreeMap<>()).ceilingEntry(beginning);
            return left == null
                    ? new Retention.Known(Retention.ALL, Long.MAX_VALUE)
                    : new Retention.Known(
                            Math.floorDiv(left.getValue(), 1_000L) + ALLOWANCE.toSeconds(), left.getKey());
        }
    }
}
