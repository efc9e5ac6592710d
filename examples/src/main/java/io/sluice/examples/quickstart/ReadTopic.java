package io.sluice.examples.quickstart;

import io.sluice.examples.servers.ExampleException;
import io.sluice.examples.servers.TopicReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Prints all committed records of a topic as they come, until it is ended: {@code ReadTopic <topic>}. Brokers by
 * {@code KAFKA_BOOTSTRAP_SERVERS}.
 */
public final class ReadTopic {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final Set<String> SHOWN = Set.of("ce_id", "ce_type", "sluice-reason");
    private static final Duration POLL = Duration.ofSeconds(1);

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
        try (var consumer = TopicReader.fromBeginning(LocalServers.bootstrap(), arguments[0])) {
            while (!Thread.interrupted()) {
                consumer.poll(POLL).forEach(record -> System.out.println(shown(record)));
            }
        } catch (ExampleException e) {
            System.err.println(e.getMessage());
            System.exit(FAILED);
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
