package io.sluice.relay.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.relay.contract.ContractCheck;
import io.sluice.relay.contract.TopicCatalogue;
import io.sluice.relay.kafka.CommittedRecords;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.topic.Topics;
import io.sluice.testkit.KafkaTopics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Commands, dead letters and replies as those see them who send and read them. */
record CommandTopics(KafkaAccess kafka, Topics topics) {
    private static final int ANY_SIZE = 20_000_000;

    /** Makes a topic of one partition. */
    void make(String topic, Map<String, String> settings) throws Exception {
        make(new NewTopic(topic, 1, (short) 1).configs(settings));
    }

    /** Makes the topic of parked commands along with the commands topic. */
    void make(NewTopic... made) throws Exception {
        var all = new ArrayList<>(List.of(made));
        all.stream()
                .filter(topic -> topic.name().equals(topics.commands()))
                .findFirst()
                .ifPresent(topic -> all.add(parked(Math.max(1, topic.numPartitions()))));
        try (var admin = kafka.admin()) {
            KafkaTopics.create(admin, all.toArray(NewTopic[]::new));
        }
    }

    private NewTopic parked(int partitions) {
        return new NewTopic(topics.parkedCommands(), partitions, (short) 1)
                .configs(TopicCatalogue.PARKED_COMMANDS.storage().settings());
    }

    /** Sends in one transaction, records of any size. */
    void send(List<ProducerRecord<byte[], byte[]>> messages) throws Exception {
        Map<String, Object> settings = new HashMap<>(kafka.clientSettings());
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topics.prefix() + "-test");
        settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, ANY_SIZE);
        try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            for (var message : messages) {
                producer.send(message).get();
            }
            producer.commitTransaction();
        }
    }

    ProducerRecord<byte[], byte[]> message(String instance, String id, String json) {
        var message = new ProducerRecord<>(topics.commands(), instance.getBytes(UTF_8), json.getBytes(UTF_8));
        return with(message, "ce_id", id);
    }

    ProducerRecord<byte[], byte[]> cancel(String instance, String id) {
        return message(instance, id, json(instance));
    }

    /** In a partition of the caller's choice. */
    ProducerRecord<byte[], byte[]> cancel(int partition, String instance, String id) {
        var message = new ProducerRecord<>(
                topics.commands(),
                partition,
                instance.getBytes(UTF_8),
                json(instance).getBytes(UTF_8));
        return with(message, "ce_id", id);
    }

    private static String json(String instance) {
        return "{\"type\":\"cancel\",\"instance\":\"" + instance + "\",\"reason\":\"\"}";
    }

    static ProducerRecord<byte[], byte[]> with(ProducerRecord<byte[], byte[]> message, String header, String value) {
        message.headers().add(header, value.getBytes(UTF_8));
        return message;
    }

    static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        return new String(message.headers().lastHeader(name).value(), UTF_8);
    }

    List<ConsumerRecord<byte[], byte[]>> deadLetters() {
        return committed(topics.deadLetters());
    }

    /** What a topic holds; that of the relay's own topics and of replies is as their contract promises. */
    List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
        var messages = CommittedRecords.ofSettled(kafka, topic);
        ContractCheck.contractOf(topics.prefix(), topic)
                .or(() -> topic.contains(".replies") ? Optional.of(TopicCatalogue.REPLIES) : Optional.empty())
                .ifPresent(contract -> messages.forEach(message -> ContractCheck.fits(contract, message)));
        return messages;
    }
}
