package io.sluice.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Replies as a relay does, from a list of scripted answers, when the test says so. */
final class CommandResponder implements AutoCloseable {
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;

    CommandResponder(String bootstrapServers, String topic) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "auto.offset.reset", "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList());
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "transactional.id",
                        topic + "-machine",
                        "metadata.max.age.ms",
                        "500"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
    }

    /** The next commands in log order, once there are so many. */
    List<ConsumerRecord<byte[], byte[]>> take(int count) {
        var fresh = new ArrayList<ConsumerRecord<byte[], byte[]>>();
        long deadlineNanos = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (fresh.size() < count) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("only " + fresh.size() + " of " + count + " commands came");
            }
            consumer.poll(Duration.ofMillis(100)).forEach(fresh::add);
        }
        return fresh;
    }

    /** Replies to a command, in a transaction that is committed or not. */
    void reply(ConsumerRecord<byte[], byte[]> command, String status, boolean commits) {
        var id = header(command, "command-id");
        tell(
                header(command, "reply-topic"),
                command.key(),
                "{\"id\":\"" + id + "\",\"status\":\"" + status + "\",\"reason\":\"no such thing\",\"more\":[]}",
                Map.of("command-id", id),
                commits);
    }

    /** Writes anything into a topic of replies. */
    void tell(String topic, byte[] key, String value, Map<String, String> headers, boolean commits) {
        var message = new ProducerRecord<>(topic, key, value.getBytes(UTF_8));
        headers.forEach((name, text) -> message.headers().add(name, text.getBytes(UTF_8)));
        producer.beginTransaction();
        var unused = producer.send(message);
        if (commits) {
            producer.commitTransaction();
        } else {
            producer.flush();
            producer.abortTransaction();
        }
    }

    /** As the one who answers knows the topic. */
    int partitionsOf(String topic) {
        return producer.partitionsFor(topic).size();
    }

    static String header(ConsumerRecord<byte[], byte[]> message, String name) {
        return new String(message.headers().lastHeader(name).value(), UTF_8);
    }

    @Override
    public void close() {
        consumer.close();
        producer.close(Duration.ZERO);
    }
}
