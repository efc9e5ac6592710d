package io.sluice.relay.command.parked;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * A command that is parked. Its record is in the same partition of the topic of parked commands, its key is the
 * command's place, its value the command's own. To the command's headers it adds {@code sluice-key} if it has a key,
 * and then {@code sluice-topic-id}, {@code sluice-offset}, {@code sluice-timestamp} (milliseconds),
 * {@code sluice-earlier} and {@code sluice-keyed}, so that the command can be read as it was. A record without a value
 * finishes it.
 *
 * @param topicId Kafka's id of the topic that the command was read from
 * @param mayHaveEarlierReceipt whether an earlier version may have settled it, under an id of another form
 * @param command as it was consumed
 */
public record ParkedRecord(String topicId, boolean mayHaveEarlierReceipt, ConsumerRecord<byte[], byte[]> command) {
    static final String TOPIC_ID = "sluice-topic-id";
    static final String OFFSET = "sluice-offset";
    static final String TIMESTAMP = "sluice-timestamp";
    static final String EARLIER = "sluice-earlier";
    static final String KEYED = "sluice-keyed";
    static final String KEY = "sluice-key";

    private static final int ADDED = 5;
    /** For what is added, and Kafka's overhead of a record and its headers. */
    private static final int OVERHEAD_BYTES = 1024;

    private static final int HEADER_OVERHEAD = 10;
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

    /** The key of its record. */
    public String place() {
        return topicId + "/" + command.partition() + "-" + command.offset();
    }

    /** The most bytes that its record takes. */
    public long bytes() {
        long bytes = (long) OVERHEAD_BYTES + length(command.key()) + length(command.value());
        for (var header : command.headers()) {
            bytes += HEADER_OVERHEAD + 3L * header.key().length() + length(header.value());
        }
        return bytes;
    }

    /** The record that parks it. */
    public ProducerRecord<byte[], byte[]> toRecord(String topic) {
        var headers = new RecordHeaders(command.headers().toArray());
        if (command.key() != null) {
            headers.add(KEY, command.key());
        }
        headers.add(TOPIC_ID, topicId.getBytes(UTF_8));
        headers.add(OFFSET, text(command.offset()));
        headers.add(TIMESTAMP, text(command.timestamp()));
        headers.add(EARLIER, String.valueOf(mayHaveEarlierReceipt).getBytes(UTF_8));
        headers.add(KEYED, String.valueOf(command.key() != null).getBytes(UTF_8));
        return new ProducerRecord<>(topic, command.partition(), place().getBytes(UTF_8), command.value(), headers);
    }

    /** The record that finishes it. */
    public ProducerRecord<byte[], byte[]> toFinish(String topic) {
        return new ProducerRecord<>(topic, command.partition(), place().getBytes(UTF_8), null);
    }

    /**
     * Reads a record that has a value.
     *
     * @param topic the commands topic
     * @return empty when the record is none that {@link #toRecord} made
     */
    static Optional<ParkedRecord> parse(String topic, ConsumerRecord<byte[], byte[]> message) {
        Header[] all = message.headers().toArray();
        int own = all.length - ADDED;
        if (own < 0 || !hasNames(Arrays.copyOfRange(all, own, all.length))) {
            return Optional.empty();
        }
        var offset = number(all[own + 1]);
        var timestamp = number(all[own + 2]);
        if (offset.isEmpty() || timestamp.isEmpty()) {
            return Optional.empty();
        }
        boolean isKeyed = Boolean.parseBoolean(text(all[own + 4]));
        if (isKeyed && (own == 0 || !all[own - 1].key().equals(KEY))) {
            return Optional.empty();
        }
        byte @Nullable [] key = isKeyed ? all[own - 1].value() : null;
        var command = new ConsumerRecord<>(
                topic,
                message.partition(),
                offset.get(),
                timestamp.get(),
                TimestampType.CREATE_TIME,
                key == null ? ConsumerRecord.NULL_SIZE : key.length,
                message.serializedValueSize(),
                key,
                message.value(),
                (Headers) new RecordHeaders(Arrays.copyOf(all, isKeyed ? own - 1 : own)),
                Optional.empty());
        var parked = new ParkedRecord(text(all[own]), Boolean.parseBoolean(text(all[own + 3])), command);
        return message.key() != null && parked.place().equals(new String(message.key(), UTF_8))
                ? Optional.of(parked)
                : Optional.empty();
    }

    private static boolean hasNames(Header... added) {
        return added[0].key().equals(TOPIC_ID)
                && added[1].key().equals(OFFSET)
                && added[2].key().equals(TIMESTAMP)
                && added[3].key().equals(EARLIER)
                && added[4].key().equals(KEYED);
    }

    private static Optional<Long> number(Header header) {
        return Optional.of(text(header))
                .filter(text -> NUMBER.matcher(text).matches())
                .map(Long::valueOf);
    }

    private static String text(Header header) {
        return header.value() == null ? "" : new String(header.value(), UTF_8);
    }

    private static byte[] text(long number) {
        return String.valueOf(number).getBytes(UTF_8);
    }

    private static int length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
