package io.sluice.relay.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What a topic holds, each time read from its beginning. Tests look again and again until they find what they wait for,
 * and making a client costs far more than a look; so clients are kept for the next look, until this JVM ends.
 * Thread-safe.
 */
public final class CommittedRecords {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Map<String, Queue<Clients>> IDLE = new ConcurrentHashMap<>();

    private CommittedRecords() {}

    private record Clients(Consumer<byte[], byte[]> consumer, Admin admin) {
        private List<TopicPartition> partitions(String topic) {
            return consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
        }

        private Map<TopicPartition, Long> endsOfAll(List<TopicPartition> partitions) {
            var latest = partitions.stream().collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest()));
            try {
                return admin.listOffsets(latest).all().get().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, end -> end.getValue().offset()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the ends of " + partitions + " were asked for", e);
            } catch (ExecutionException e) {
                throw new AssertionError("the ends of " + partitions + " are not known", e);
            }
        }

        private List<ConsumerRecord<byte[], byte[]>> upTo(Map<TopicPartition, Long> ends) {
            var partitions = List.copyOf(ends.keySet());
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(records::add);
            }
            return records;
        }
    }

    /** The records that are committed now, those of a partition in their order. */
    public static List<ConsumerRecord<byte[], byte[]>> of(KafkaAccess kafka, String topic) {
        return look(kafka, clients -> clients.upTo(clients.consumer().endOffsets(clients.partitions(topic))));
    }

    /**
     * The same when no transaction is left open. Kafka answers a commit before it has marked its records as committed,
     * so this reads on to the end that all records have, committed or not.
     */
    public static List<ConsumerRecord<byte[], byte[]>> ofSettled(KafkaAccess kafka, String topic) {
        return look(kafka, clients -> clients.upTo(clients.endsOfAll(clients.partitions(topic))));
    }

    private static List<ConsumerRecord<byte[], byte[]>> look(
            KafkaAccess kafka, Function<Clients, List<ConsumerRecord<byte[], byte[]>>> look) {
        var idle = IDLE.computeIfAbsent(
                kafka.bootstrapServers() + kafka.clientSettings(), first -> new ConcurrentLinkedQueue<>());
        var kept = idle.poll();
        var clients = kept == null ? new Clients(kafka.reader(), kafka.admin()) : kept;
        boolean isGood = false;
        try {
            var records = look.apply(clients);
            isGood = true;
            return records;
        } finally {
            if (isGood) {
                idle.add(clients);
            } else {
                clients.consumer().close();
                clients.admin().close();
            }
        }
    }
}
