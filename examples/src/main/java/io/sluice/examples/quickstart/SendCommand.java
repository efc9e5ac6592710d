package io.sluice.examples.quickstart;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Produces one record, as a console producer would: {@code SendCommand <topic> <key> <value>}. Brokers by
 * {@code KAFKA_BOOTSTRAP_SERVERS}.
 */
public final class SendCommand {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    private SendCommand() {}

    /**
     * Sends it and says where it lies.
     *
     * @param arguments topic, key (the instance's id) and value (the command)
     */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 3) {
            System.err.println("give a topic, a key and a value");
            System.exit(USAGE);
        }
        QuietLogs.choose();
        Map<String, Object> settings = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                LocalServers.bootstrap(),
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                15_000);
        var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        try {
            var record = new ProducerRecord<>(arguments[0], arguments[1], arguments[2]);
            System.out.println("sent: " + producer.send(record).get());
        } catch (ExecutionException e) {
            System.err.println("not sent: " + e.getCause());
            System.exit(FAILED);
        } finally {
            producer.close(Duration.ZERO);
        }
    }
}
