package io.sluice.relay.deadletter;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A command that was refused. Its record keeps key, value and headers of the original and adds {@code sluice-kind},
 * {@code sluice-reason}, {@code sluice-command-id}, {@code sluice-topic}, {@code sluice-partition},
 * {@code sluice-offset} and {@code sluice-timestamp} (milliseconds, of the original). A command may be larger than any
 * dead letter; then its value is truncated, and a key or headers that leave no room for the rest are left out.
 * {@code sluice-value-bytes}, {@code sluice-key-bytes} and {@code sluice-headers-bytes} are their
 * original sizes, each present only if a part is missing.
 *
 * @param original as it was consumed
 * @param commandId the id by which its receipt is found
 * @param reason why it was refused, in words
 */
public record DeadLetter(ConsumerRecord<byte[], byte[]> original, String commandId, String reason) {
    public static final String KIND = "sluice-kind";
    /** The {@link #KIND} of a command that was refused. */
    public static final String COMMAND = "command";
    /** The {@link #KIND} of the mark that an operator sent such a command again. */
    public static final String RESENT = "resent";

    public static final String REASON = "sluice-reason";
    public static final String COMMAND_ID = "sluice-command-id";
    public static final String TOPIC = "sluice-topic";
    public static final String PARTITION = "sluice-partition";
    public static final String OFFSET = "sluice-offset";
    public static final String TIMESTAMP = "sluice-timestamp";
    /** On a command that an operator sent again: the position of its dead letter. */
    public static final String RESENT_FROM = "sluice-resent-from";

    public static final String VALUE_BYTES = "sluice-value-bytes";
    public static final String KEY_BYTES = "sluice-key-bytes";
    public static final String HEADERS_BYTES = "sluice-headers-bytes";

    /** For the relay's own headers and Kafka's overhead of a record. */
    private static final int ROOM_FOR_DIAGNOSTICS = 16_384;
    /** The two lengths of a header, five bytes each at most. */
    private static final int HEADER_OVERHEAD = 10;

    /**
     * The record for the dead letter topic.
     *
     * @param mostBytes maximal size of the record, 32 KB or more
     */
    public ProducerRecord<byte[], byte[]> toRecord(String topic, int mostBytes) {
        var diagnostics = diagnostics();
        var headers = new RecordHeaders(original.headers().toArray());
        byte @Nullable [] key = original.key();
        byte @Nullable [] value = original.value();
        int room = mostBytes - ROOM_FOR_DIAGNOSTICS;
        if (bytes(headers) + bytes(key) + bytes(value) > room) {
            if (bytes(headers) > room / 2) {
                diagnostics.put(HEADERS_BYTES, String.valueOf(bytes(headers)));
                headers = new RecordHeaders();
            }
            room -= bytes(headers);
            if (bytes(key) > room / 2) {
                diagnostics.put(KEY_BYTES, String.valueOf(bytes(key)));
                key = null;
            }
            room -= bytes(key);
            if (value != null && value.length > room) {
                diagnostics.put(VALUE_BYTES, String.valueOf(value.length));
                value = Arrays.copyOf(value, room);
            }
        }
        return new ProducerRecord<>(topic, null, key, value, with(diagnostics, headers));
    }

    /** A command that was sent again still has the headers of its first dead letter. */
    private static Headers with(Map<String, String> diagnostics, Headers headers) {
        List.of(VALUE_BYTES, KEY_BYTES, HEADERS_BYTES).forEach(headers::remove);
        diagnostics.forEach((name, text) -> headers.remove(name).add(name, text.getBytes(StandardCharsets.UTF_8)));
        return headers;
    }

    private static int bytes(Headers headers) {
        int sum = 0;
        for (var header : headers) {
            sum += header.key().getBytes(StandardCharsets.UTF_8).length + bytes(header.value()) + HEADER_OVERHEAD;
        }
        return sum;
    }

    private static int bytes(byte @Nullable [] part) {
        return part == null ? 0 : part.length;
    }

    private Map<String, String> diagnostics() {
        return new TreeMap<>(Map.of(
                KIND,
                COMMAND,
                REASON,
                reason,
                COMMAND_ID,
                commandId,
                TOPIC,
                original.topic(),
                PARTITION,
                String.valueOf(original.partition()),
                OFFSET,
                String.valueOf(original.offset()),
                TIMESTAMP,
                String.valueOf(original.timestamp())));
    }
}
