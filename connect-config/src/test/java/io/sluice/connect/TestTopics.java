package io.sluice.connect;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.KafkaTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Topics of one partition in a broker, written and read as text. */
record TestTopics(String bootstrapServers) {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Makes the topics of the prefix "orders" that connectors read and write. */
    void createOrders() throws Exception {
        create(
                "orders.history",
                "orders.status",
                "orders.lifecycle",
                "orders.dead-letters",
                "orders.connect.dead-letters",
                "orders.cosmos.documents");
    }

    /** They take records as large as those that the relay makes. */
    void create(String... names) throws Exception {
        try (var admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            KafkaTopics.create(
                    admin,
                    Stream.of(names)
                            .map(name ->
                                    new NewTopic(name, 1, (short) 1).configs(Map.of("max.message.bytes", "5242880")))
                            .toList());
        }
    }

    /** A record in a transaction of its own that is committed. */
    void produce(String topic, String key, @Nullable String value) throws Exception {
        inTransaction(true, topic, key, value);
    }

    /** A record in a transaction of its own. */
    void inTransaction(boolean commit, String topic, String key, @Nullable String value) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers, "transactional.id", "test");
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, key, value)).get();
            if (commit) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    /** The committed records of a topic, as soon as there are so many. */
    List<ConsumerRecord<String, String>> read(String topic, int count) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", bootstrapServers,
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            var records = new ArrayList<ConsumerRecord<String, String>>();
            await().atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
                return records.size() >= count;
            });
            return records;
        }
    }
}
