package io.sluice.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** An ordinary user of a cluster, through the official clients; every call opens and closes its own. */
record KafkaUser(String bootstrapServers) {
    private static final long TIMEOUT_SECONDS = 30;

    void createTopic(String name) {
        try (Admin admin = admin()) {
            KafkaTopics.create(admin, new NewTopic(name, 1, (short) 1));
        }
    }

    Set<String> topics() throws Exception {
        try (Admin admin = admin()) {
            return admin.listTopics().names().get(TIMEOUT_SECONDS, SECONDS);
        }
    }

    void describe(String topic) throws Exception {
        try (Admin admin = admin()) {
            admin.describeTopics(List.of(topic)).allTopicNames().get(TIMEOUT_SECONDS, SECONDS);
        }
    }

    void commit(String transactionalId, String topic, String... values) throws Exception {
        try (KafkaProducer<String, String> producer = producer(transactionalId)) {
            send(producer, topic, values);
            producer.commitTransaction();
        }
    }

    void abort(String transactionalId, String topic, String... values) throws Exception {
        try (KafkaProducer<String, String> producer = producer(transactionalId)) {
            send(producer, topic, values);
            producer.abortTransaction();
        }
    }

    /**
     * All that a {@code read_committed} consumer sees up to the end of the topic's one partition. The end is that of
     * all records: a commit is acknowledged before its markers are written, so the end of the committed ones may be a
     * moment behind.
     */
    List<String> readCommitted(String topic) {
        long end = end(topic);
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest");
        TopicPartition partition = new TopicPartition(topic, 0);
        List<String> values = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long deadlineNanos = System.nanoTime() + SECONDS.toNanos(TIMEOUT_SECONDS);
            while (consumer.position(partition) < end && System.nanoTime() < deadlineNanos) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }

    private long end(String topic) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_uncommitted");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            return consumer.endOffsets(List.of(new TopicPartition(topic, 0)))
                    .values()
                    .iterator()
                    .next();
        }
    }

    private static void send(KafkaProducer<String, String> producer, String topic, String... values) throws Exception {
        producer.initTransactions();
        producer.beginTransaction();
        for (String value : values) {
            producer.send(new ProducerRecord<>(topic, value)).get(TIMEOUT_SECONDS, SECONDS);
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    private KafkaProducer<String, String> producer(String transactionalId) {
        // A frozen broker answers nothing: half a minute for each request is the default.
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", bootstrapServers,
                "transactional.id", transactionalId,
                "request.timeout.ms", 5_000);
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }
}
