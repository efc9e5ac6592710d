package io.sluice.relay.rejected;

import io.sluice.relay.deadletter.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The two records of a rejected command that is sent again: the unchanged command, and a mark in the partition of its
 * dead letter. Both name the dead letter by
 * {@code <Kafka's id of the topic>-<partition>-<offset>}.
 */
final class ResentMark {
    private static final Pattern PLACE = Pattern.compile(".+-([0-9]{1,6})-([0-9]{1,18})");
    /** Headers of the dead letter, which the command did not have. */
    private static final List<String> DIAGNOSTICS = List.of(
            DeadLetter.KIND,
            DeadLetter.REASON,
            DeadLetter.COMMAND_ID,
            DeadLetter.TOPIC,
            DeadLetter.PARTITION,
            DeadLetter.OFFSET,
            DeadLetter.TIMESTAMP,
            DeadLetter.RESENT_FROM);

    private ResentMark() {}

    /**
     * The command with its own key, value and headers, in its own partition unless the topic has fewer partitions now.
     */
    static ProducerRecord<byte[], byte[]> command(
            ConsumerRecord<byte[], byte[]> letter, String topic, int partitions, String topicId) {
        var headers = new RecordHeaders(letter.headers().toArray());
        DIAGNOSTICS.forEach(headers::remove);
        headers.add(DeadLetter.RESENT_FROM, bytes(place(letter, topicId)));
        int partition = (int) RejectedCommand.number(letter, DeadLetter.PARTITION);
        boolean isThere = partition >= 0 && partition < partitions;
        return new ProducerRecord<>(topic, isThere ? partition : null, letter.key(), letter.value(), headers);
    }

    /** The mark. */
    static ProducerRecord<byte[], byte[]> of(ConsumerRecord<byte[], byte[]> letter, String topicId) {
        var place = place(letter, topicId);
        var headers = new RecordHeaders()
                .add(DeadLetter.KIND, bytes(DeadLetter.RESENT))
                .add(DeadLetter.REASON, bytes("sent again by an operator"))
                .add(DeadLetter.RESENT_FROM, bytes(place))
                .add(DeadLetter.COMMAND_ID, bytes(RejectedCommand.header(letter, DeadLetter.COMMAND_ID)));
        var value = bytes("{\"resentFrom\":\"" + place + "\"}");
        return new ProducerRecord<>(letter.topic(), letter.partition(), letter.key(), value, headers);
    }

    private static String place(ConsumerRecord<byte[], byte[]> letter, String topicId) {
        return topicId + "-" + letter.partition() + "-" + letter.offset();
    }

    /** The offset of the dead letter that was sent again, in the same partition; empty when the record is no mark. */
    static OptionalLong offset(ConsumerRecord<byte[], byte[]> record) {
        if (!DeadLetter.RESENT.equals(RejectedCommand.header(record, DeadLetter.KIND))) {
            return OptionalLong.empty();
        }
        var place = PLACE.matcher(RejectedCommand.header(record, DeadLetter.RESENT_FROM));
        return place.matches() ? OptionalLong.of(Long.parseLong(place.group(2))) : OptionalLong.empty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
