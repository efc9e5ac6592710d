package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.relay.contract.ContractCheck;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** The relay's topics as a stranger uses them. */
final class TestTopics {
    private static final Duration POLL = Duration.ofMillis(100);

    private final KafkaAccess kafka;
    private final Topics topics;

    TestTopics(String bootstrapServers, String prefix) {
        this.kafka = new KafkaAccess(bootstrapServers, Map.of());
        this.topics = new Topics(prefix);
    }

    void send(String instance, String commandId, String json) throws Exception {
        send(instance, json, Map.of("ce_id", commandId));
    }

    void send(String instance, String json, Map<String, String> headers) throws Exception {
        try (var producer = kafka.transactional(topics.prefix() + "-test")) {
            producer.initTransactions();
            producer.beginTransaction();
            var message = new ProducerRecord<>(topics.commands(), instance.getBytes(UTF_8), json.getBytes(UTF_8));
            headers.forEach((name, text) -> message.headers().add(name, text.getBytes(UTF_8)));
            producer.send(message).get();
            producer.commitTransaction();
        }
    }

    /** The {@code ce_id} of every committed event, those of one instance in log order. */
    List<String> eventIds() {
        return ids(topics.history());
    }

    /** The committed events as they are, those of one instance in log order. */
    List<String> events() {
        return committed(topics.history()).stream()
                .map(message -> new String(message.value(), UTF_8))
                .toList();
    }

    /** The same of another topic. */
    List<String> ids(String topic) {
        return committed(topic).stream()
                .map(message -> header(message, "ce_id"))
                .toList();
    }

    /** Why commands were refused. */
    List<String> deadLetterReasons() {
        return committed(topics.deadLetters()).stream()
                .map(message -> header(message, "sluice-reason"))
                .toList();
    }

    static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        return new String(message.headers().lastHeader(name).value(), UTF_8);
    }

    /**
     * Every committed record of a topic, those of one key in log order; those of the relay's own topics are as their
     * contract promises.
     */
    List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
        var all = read(topic);
        ContractCheck.contractOf(topics.prefix(), topic)
                // Anybody writes commands, and not everybody good ones.
                .filter(contract -> !contract.equals(TopicCatalogue.COMMANDS))
                .ifPresent(contract -> all.forEach(message -> ContractCheck.fits(contract, message)));
        return all;
    }

    private List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        try (var consumer = kafka.reader()) {
            var partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            return upToTheEnd(consumer, consumer.endOffsets(partitions));
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> upToTheEnd(
            Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        var messages = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(POLL).forEach(messages::add);
        }
        return messages;
    }
}
