package io.sluice.relay.rejected;

import io.sluice.relay.deadletter.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A rejected command as operators see it, without its value.
 *
 * @param id partition and offset of its dead letter
 * @param rejectedAt when its dead letter was written (ISO 8601)
 * @param commandId the command's own id
 * @param key the command's key as text, or its beginning; null for none
 * @param reason why it was refused
 * @param partition of the command in the commands topic
 * @param offset of the command in this partition
 * @param sentAt timestamp of the command's record (ISO 8601)
 * @param whole whether the dead letter has the whole command; a truncated one can't be sent again
 * @param bytes of the value in the dead letter
 */
public record RejectedCommand(
        String id,
        String rejectedAt,
        String commandId,
        @Nullable String key,
        String reason,
        int partition,
        long offset,
        String sentAt,
        boolean whole,
        int bytes) {
    /** So much of a key or a header is shown: the list may have a thousand commands, and a key may have megabytes. */
    private static final int MOST_BYTES = 2_048;

    static boolean isRejectedCommand(ConsumerRecord<byte[], byte[]> letter) {
        return DeadLetter.COMMAND.equals(header(letter, DeadLetter.KIND));
    }

    static RejectedCommand of(ConsumerRecord<byte[], byte[]> letter) {
        byte @Nullable [] key = letter.key();
        byte @Nullable [] value = letter.value();
        return new RejectedCommand(
                new RejectedId(letter.partition(), letter.offset()).toString(),
                Instant.ofEpochMilli(letter.timestamp()).toString(),
                header(letter, DeadLetter.COMMAND_ID),
                key == null ? null : text(key),
                header(letter, DeadLetter.REASON),
                (int) number(letter, DeadLetter.PARTITION),
                number(letter, DeadLetter.OFFSET),
                Instant.ofEpochMilli(number(letter, DeadLetter.TIMESTAMP)).toString(),
                isWhole(letter),
                value == null ? 0 : value.length);
    }

    static boolean isWhole(ConsumerRecord<byte[], byte[]> letter) {
        return List.of(DeadLetter.VALUE_BYTES, DeadLetter.KEY_BYTES, DeadLetter.HEADERS_BYTES).stream()
                .allMatch(cut -> letter.headers().lastHeader(cut) == null);
    }

    private static String text(byte[] bytes) {
        return bytes.length <= MOST_BYTES
                ? new String(bytes, StandardCharsets.UTF_8)
                : new String(bytes, 0, MOST_BYTES, StandardCharsets.UTF_8) + "…";
    }

    /** The value of a header, or its beginning; empty if it is missing. */
    static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        var header = letter.headers().lastHeader(name);
        return header == null || header.value() == null ? "" : text(header.value());
    }

    /** The number in a header; -1 if it is missing, because the relay did not write this record. */
    static long number(ConsumerRecord<byte[], byte[]> letter, String name) {
        var text = header(letter, name);
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    }
}
