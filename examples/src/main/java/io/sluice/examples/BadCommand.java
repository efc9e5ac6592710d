package io.sluice.examples;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A record that can't be carried out and must end among the dead letters, with a reason, while the rest goes on. The
 * client library refuses to make one, so it comes from a plain producer.
 */
record BadCommand(String commandId, String key, String value) {
    /** One of each kind. */
    static final List<BadCommand> ALL = List.of(
            new BadCommand("bad-not-json", "A-99901", "start A-99901 please"),
            new BadCommand("bad-no-instance", "A-99902", "{\"type\":\"start\",\"orchestration\":\"order-fulfilment\"}"),
            new BadCommand(
                    "bad-instance-id",
                    "A/99903",
                    "{\"type\":\"start\",\"instance\":\"A/99903\",\"orchestration\":\"order-fulfilment\",\"input\":\"\"}"));

    /** Sends all of them and returns when the brokers have them. */
    static void sendAll(String bootstrapServers, String topic) {
        Map<String, Object> settings = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
        try {
            for (BadCommand bad : ALL) {
                var unused = producer.send(bad.toRecord(topic));
            }
            producer.flush();
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private ProducerRecord<String, String> toRecord(String topic) {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, key, value);
        record.headers().add("ce_id", commandId.getBytes(StandardCharsets.UTF_8));
        return record;
    }
}
