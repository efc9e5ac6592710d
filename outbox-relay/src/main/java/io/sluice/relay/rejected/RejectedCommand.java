package io.sluice.relay.rejected;

import io.sluice.relay.deadletter.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A rejected command as people see it, without its value.
 *
 * @param id by which it is sent again: partition and offset of its dead letter
 * @param rejectedAt when its dead letter was written (ISO 8601)
 * @param commandId the command's own id
 * @param key the command's key as text; null for none
 * @param reason why it was refused
 * @param partition of the commands topic, in which it stood
 * @param offset at which it stood there
 * @param sentAt its record's time (ISO 8601)
 * @param whole whether the dead letter has all of it; what was cut can't be sent again
 * @param bytes of the value that the dead letter has
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
    static boolean isOne(ConsumerRecord<byte[], byte[]> letter) {
        return DeadLetter.COMMAND.equals(header(letter, DeadLetter.KIND));
    }

    static RejectedCommand of(ConsumerRecord<byte[], byte[]> letter) {
        byte @Nullable [] key = letter.key();
        byte @Nullable [] value = letter.value();
        return new RejectedCommand(
                new RejectedId(letter.partition(), letter.offset()).toString(),
                Instant.ofEpochMilli(letter.timestamp()).toString(),
                header(letter, DeadLetter.COMMAND_ID),
                key == null ? null : new String(key, StandardCharsets.UTF_8),
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

    /** Empty when it isn't there. */
    static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
        var header = letter.headers().lastHeader(name);
        return header == null || header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** -1 when it isn't there: somebody else wrote into the topic. */
    static long number(ConsumerRecord<byte[], byte[]> letter, String name) {
        var text = header(letter, name);
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    }
}
