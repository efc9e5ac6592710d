package io.sluice.examples.features;

import io.sluice.client.ClientConfig;
import io.sluice.client.Command;
import io.sluice.client.CommandOptions;
import io.sluice.client.SluiceClient;
import io.sluice.examples.servers.RelayFleet;
import io.sluice.examples.servers.RunTopics;
import io.sluice.examples.servers.Servers;
import io.sluice.examples.servers.TopicReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Promise: what can't be carried out stops nothing and is not lost: it is among the dead letters, with the reason. */
public final class DeadLetterExample {
    private static final Duration READ = Duration.ofSeconds(30);

    private DeadLetterExample() {}

    public static void main(String[] arguments) throws Exception {
        Scene.play(DeadLetterExample::run);
    }

    static void run(Map<String, String> environment, PrintStream out) throws Exception {
        try (var servers = Servers.open(environment, Scene.runName("dead-letters"), false);
                var relays = RelayFleet.start(1, servers);
                var client = SluiceClient.open(ClientConfig.of(
                                servers.kafka().bootstrapServers(),
                                servers.kafka().prefix())
                        .withReplyTopic(servers.kafka().create("replies")))) {
            var start = new Command.Start("greeting-1", Scene.GREETING, "Ada");
            produce(servers.kafka(), "greeting-1", "say hello to Ada, please");
            var late =
                    CommandOptions.ofId("too-late").withDeadline(Instant.now().minusSeconds(1));
            out.println("after its deadline: " + client.ask(start, late).reply().get());
            out.println("in time:            "
                    + client.ask(start, CommandOptions.ofId("in-time")).reply().get());

            Scene.await("both dead letters", () -> letters(servers.kafka()).size() == 2);
            letters(servers.kafka()).forEach(letter -> out.println("dead letter: " + letter));
            relays.requireAlive();
        }
    }

    /** A producer without the client library may send anything. */
    private static void produce(RunTopics kafka, String key, String value) throws Exception {
        Map<String, Object> settings = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
        var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        try {
            producer.send(new ProducerRecord<>(kafka.topic("commands"), key, value))
                    .get();
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private static List<String> letters(RunTopics kafka) {
        return TopicReader.readAll(
                kafka.bootstrapServers(), kafka.topic("dead-letters"), READ, DeadLetterExample::reason);
    }

    private static String reason(ConsumerRecord<String, String> letter) {
        return new String(letter.headers().lastHeader("sluice-reason").value(), StandardCharsets.UTF_8) + ": "
                + letter.value();
    }
}
