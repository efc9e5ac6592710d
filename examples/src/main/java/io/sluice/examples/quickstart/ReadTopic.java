package io.sluice.examples.quickstart;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Prints all committed records of a topic as they come, until it is ended: {@code ReadTopic <topic>}. Brokers by {@code KAFKA_BOOTSTRAP_SERVERS}.
 */
public final class ReadTopic {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final Set<String> SHOWN = Set.of("ce_id", "ce_type", "sluice-reason");
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private ReadTopic() {}

    /**
     * Reads from the beginning.
     *
     * @param arguments the topic
     */
    public static void main(String[] arguments) {
        if (arguments.length != 1) {
            System.err.println("give a topic");
            System.exit(USAGE);
        }
        QuietLogs.choose();
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                LocalServers.bootstrap(),
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false);
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            var partitions = consumer.partitionsFor(arguments[0]).stream()
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            if (partitions.isEmpty()) {
                System.err.println("there is no topic " + arguments[0]);
                System.exit(FAILED);
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!Thread.interrupted()) {
                consumer.poll(PATIENCE).forEach(record -> System.out.println(shown(record)));
            }
        }
    }

    private static String shown(ConsumerRecord<String, String> record) {
        var attributes = StreamSupport.stream(record.headers().spliterator(), false)
                .filter(header -> SHOWN.contains(header.key()))
                .map(header -> header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8))
                .collect(Collectors.joining(" "));
        return record.key() + "  " + attributes + System.lineSeparator() + "    " + record.value();
    }
}
