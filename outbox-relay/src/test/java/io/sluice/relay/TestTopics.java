package io.sluice.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.relay.contract.ContractCheck;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.kafka.CommittedRecords;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The relay's topics as a stranger uses them. */
public final class TestTopics {
    /** What was held against its contract at an earlier look. */
    private static final Set<Place> CHECKED = ConcurrentHashMap.newKeySet();

    private final KafkaAccess kafka;
    private final Topics topics;

    TestTopics(String bootstrapServers, String prefix) {
        this.kafka = new KafkaAccess(bootstrapServers, Map.of());
        this.topics = new Topics(prefix);
    }

    private record Place(String topic, int partition, long offset, long timestamp) {
        private static Place of(ConsumerRecord<byte[], byte[]> message) {
            return new Place(message.topic(), message.partition(), message.offset(), message.timestamp());
        }
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
        var all = CommittedRecords.of(kafka, topic);
        ContractCheck.contractOf(topics.prefix(), topic)
                // Anybody writes commands, and not everybody good ones.
                .filter(contract -> !contract.equals(TopicCatalogue.COMMANDS))
                .ifPresent(contract -> all.stream()
                        .filter(message -> CHECKED.add(Place.of(message)))
                        .forEach(message -> ContractCheck.fits(contract, message)));
        return all;
    }
}
