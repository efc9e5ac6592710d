package io.sluice.relay.deadletter;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A command that was refused. Its record keeps key, value and headers of the original and adds {@code sluice-kind},
 * {@code sluice-reason}, {@code sluice-command-id}, {@code sluice-topic}, {@code sluice-partition},
 * {@code sluice-offset} and {@code sluice-timestamp} (milliseconds, of the original).
 *
 * @param original as it was consumed
 * @param commandId what its receipt is, or would have been, called after
 * @param reason why it was refused, in words
 */
public record DeadLetter(ConsumerRecord<byte[], byte[]> original, String commandId, String reason) {
    public static final String KIND = "sluice-kind";
    public static final String REASON = "sluice-reason";

    /** The record for the dead letter topic. */
    public ProducerRecord<byte[], byte[]> toRecord(String topic) {
        var headers = new RecordHeaders(original.headers().toArray());
        // A dead letter that was sent again brings those of its first end.
        diagnostics().forEach((name, text) -> headers.remove(name).add(name, text.getBytes(StandardCharsets.UTF_8)));
        return new ProducerRecord<>(topic, null, original.key(), original.value(), headers);
    }

    private Map<String, String> diagnostics() {
        return new TreeMap<>(Map.of(
                KIND,
                "command",
                REASON,
                reason,
                "sluice-command-id",
                commandId,
                "sluice-topic",
                original.topic(),
                "sluice-partition",
                String.valueOf(original.partition()),
                "sluice-offset",
                String.valueOf(original.offset()),
                "sluice-timestamp",
                String.valueOf(original.timestamp())));
    }
}
