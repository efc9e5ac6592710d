package io.sluice.relay.command.parked;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.log.LogKeys;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the parked commands of partitions from their topic. What is parked is known only after a read_committed
 * consumer has reached the high watermark: before the last stable offset only, the transaction of an owner before could
 * hide some. Belongs to the consumer's thread.
 */
public final class ParkedLog {
    private static final Logger LOG = LoggerFactory.getLogger(ParkedLog.class);
    private static final Duration POLL = Duration.ofMillis(100);
    /** An open transaction ends within this time. */
    private static final Duration TIMEOUT = KafkaAccess.TRANSACTION_TIMEOUT.plusSeconds(5);

    private final KafkaAccess kafka;
    private final Admin admin;
    private final Topics topics;

    /**
     * A command that is parked.
     *
     * @param sinceMillis when it was
     */
    public record Parked(ParkedRecord record, long sinceMillis) {}

    /** Reads nothing yet. */
    public ParkedLog(KafkaAccess kafka, Admin admin, Topics topics) {
        this.kafka = kafka;
        this.admin = admin;
        this.topics = topics;
    }

    /** The topic. */
    public String topic() {
        return topics.parkedCommands();
    }

    /**
     * The number of partitions of the topic.
     *
     * @throws KafkaException when Kafka does not say, as when there is no such topic
     */
    public int partitions() {
        return answer(
                        "describe topic " + topic(),
                        Optional.ofNullable(admin.describeTopics(List.of(topic()))
                                        .topicNameValues()
                                        .get(topic()))
                                .orElseThrow()
                                .thenApply(TopicDescription::partitions))
                .size();
    }

    /**
     * Reads what is parked, in the order in which it was, by the partition of the commands topic. A partition that the
     * topic does not have holds nothing.
     *
     * @param partitions of the commands topic
     * @throws KafkaException when that is not known in time, as while a transaction stays open
     */
    public Map<TopicPartition, List<Parked>> read(Collection<TopicPartition> partitions) {
        int there = partitions();
        var asked = partitions.stream()
                .map(partition -> new TopicPartition(topic(), partition.partition()))
                .filter(partition -> partition.partition() < there)
                .toList();
        var ends = offsets(asked, OffsetSpec.latest());
        offsets(asked, OffsetSpec.earliest()).forEach((partition, first) -> ends.remove(partition, first));
        Map<Integer, Map<String, Parked>> found = new HashMap<>();
        if (!ends.isEmpty()) {
            readTo(ends, found);
        }
        Map<TopicPartition, List<Parked>> result = new HashMap<>();
        for (var partition : partitions) {
            var parked = found.getOrDefault(partition.partition(), Map.of());
            result.put(partition, new ArrayList<>(parked.values()));
        }
        return result;
    }

    private void readTo(Map<TopicPartition, Long> ends, Map<Integer, Map<String, Parked>> found) {
        long begunNanos = System.nanoTime();
        try (Consumer<byte[], byte[]> consumer = kafka.reader()) {
            consumer.assign(ends.keySet());
            consumer.seekToBeginning(ends.keySet());
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                if (System.nanoTime() - begunNanos > TIMEOUT.toNanos()) {
                    throw new TimeoutException("what is parked in " + ends.keySet()
                            + " is behind a transaction that is still open after " + TIMEOUT);
                }
                consumer.poll(POLL)
                        .forEach(message -> take(
                                message, found.computeIfAbsent(message.partition(), first -> new LinkedHashMap<>())));
            }
        }
    }

    /** Records of others, who should have no right to write, are none. */
    private void take(ConsumerRecord<byte[], byte[]> message, Map<String, Parked> found) {
        var place = message.key() == null ? "" : new String(message.key(), UTF_8);
        if (message.value() == null) {
            found.remove(place);
            return;
        }
        ParkedRecord.parse(topics.commands(), message)
                .ifPresentOrElse(
                        parked -> found.put(place, new Parked(parked, message.timestamp())),
                        () -> LOG.atWarn()
                                .addKeyValue(LogKeys.TOPIC, message.topic())
                                .addKeyValue(LogKeys.PARTITION, message.partition())
                                .addKeyValue(LogKeys.OFFSET, message.offset())
                                .log("skipped a record that is no parked command: somebody else than the relay may "
                                        + "write to its topic of parked commands"));
    }

    private Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions, OffsetSpec which) {
        var wanted = partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> which));
        var found = answer(
                "ask for the offsets of topic " + topic(),
                admin.listOffsets(wanted, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .all());
        Map<TopicPartition, Long> offsets = new HashMap<>();
        found.forEach((partition, info) -> offsets.put(partition, info.offset()));
        return offsets;
    }

    private static <T> T answer(String what, KafkaFuture<T> asked) {
        try {
            return asked.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new KafkaException("can't " + what + ", run provision if it is missing", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
