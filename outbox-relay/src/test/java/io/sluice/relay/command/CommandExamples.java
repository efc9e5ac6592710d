package io.sluice.relay.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.relay.command.CommandBatch.Settled;
import io.sluice.relay.command.parked.ParkedRecord;
import io.sluice.relay.command.parse.CommandHeaders;
import io.sluice.relay.command.parse.ParsedCommand;
import io.sluice.relay.deadletter.DeadLetter;
import io.sluice.relay.kafka.KafkaAccess;
import io.sluice.relay.reply.ReplyTopics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Commands, and what the relay's own code makes of them: replies and dead letters. */
public final class CommandExamples {
    private static final TopicPartition PARTITION = new TopicPartition("sluice.commands", 3);
    private static final String TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final String DEAD_LETTERS = "sluice.dead-letters";
    private static final int LARGE = 40_000;
    private static final long SENT = 1_767_225_600_000L;

    /** One of each type, each of which the parser takes. */
    public static final List<String> COMMANDS = List.of(
            "{\"type\":\"start\",\"instance\":\"order-17\",\"orchestration\":\"Order\",\"version\":\"1.0.0\",\"input\":\"{\\\"items\\\":3}\"}",
            "{\"type\":\"raiseEvent\",\"instance\":\"order-17\",\"name\":\"approval\",\"data\":\"yes\"}",
            "{\"type\":\"message\",\"instance\":\"order-17\",\"queue\":\"mail\",\"data\":\"hello\"}",
            "{\"type\":\"cancel\",\"instance\":\"order-17\",\"reason\":\"customer called\"}");

    private CommandExamples() {}

    /** What came of one that was queued and one that could not be read. */
    public record Ends(
            List<ProducerRecord<byte[], byte[]>> replies, List<ProducerRecord<byte[], byte[]>> deadLetters) {}

    /** The first of them as a caller sends it. */
    public static ProducerRecord<byte[], byte[]> sent() {
        var message = message(0, "c-1", COMMANDS.get(0));
        return new ProducerRecord<>(message.topic(), null, message.key(), message.value(), message.headers());
    }

    /** A command that is parked, and then no more. */
    public static List<ProducerRecord<byte[], byte[]>> parked() {
        var parked = new ParkedRecord("vPeOCWypqUOSepEvx0cbog", false, message(0, "c-1", COMMANDS.get(0)));
        return List.of(parked.toRecord("sluice.commands.parked"), parked.toFinish("sluice.commands.parked"));
    }

    /** How commands end. */
    public static Ends ends() {
        var batch = new CommandBatch(
                new ConsumerRecords<>(
                        Map.of(
                                PARTITION,
                                List.of(
                                        message(0, "c-1", COMMANDS.get(0)),
                                        message(1, "c-2", "{\"type\":\"cancel\"}"))),
                        Map.of()),
                partition -> new CommandBatch.Origin("topic-id", false));
        for (var entry : batch.entries()) {
            var letter = entry.command() instanceof ParsedCommand.Bad bad
                    ? new DeadLetter(entry.message(), bad.commandId(), bad.reason())
                    : null;
            entry.settle(new Settled(letter == null ? SENT + 5 : 0, letter));
        }
        var done = Optional.ofNullable(batch.committable().get(PARTITION)).orElseThrow();
        return new Ends(
                done.replies().stream().map(Reply::toRecord).toList(),
                Stream.concat(
                                done.letters().stream()
                                        .map(letter -> letter.toRecord(DEAD_LETTERS, KafkaAccess.MAX_RECORD_BYTES)),
                                Stream.of(cut()))
                        .toList());
    }

    /** Of a command that is too large in all its parts. */
    private static ProducerRecord<byte[], byte[]> cut() {
        byte[] part = ("{\"type\":\"cancel\"}" + " ".repeat(LARGE)).getBytes(UTF_8);
        var headers = new RecordHeaders();
        headers.add("own", part);
        var message = new ConsumerRecord<>(
                PARTITION.topic(),
                PARTITION.partition(),
                2,
                SENT,
                TimestampType.CREATE_TIME,
                part.length,
                part.length,
                part,
                part,
                headers,
                Optional.empty());
        return new DeadLetter(message, "c-3", "the command is not JSON").toRecord(DEAD_LETTERS, LARGE);
    }

    private static ConsumerRecord<byte[], byte[]> message(long offset, String id, String json) {
        var headers = new RecordHeaders();
        Map.of(
                        CommandHeaders.CLOUD_EVENT_ID,
                        id,
                        ReplyTopics.HEADER,
                        "sluice.replies.shop",
                        CommandHeaders.CORRELATION_ID,
                        "call-7",
                        "traceparent",
                        TRACEPARENT)
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(
                        header -> headers.add(header.getKey(), header.getValue().getBytes(UTF_8)));
        byte[] key = "order-17".getBytes(UTF_8);
        byte[] value = json.getBytes(UTF_8);
        return new ConsumerRecord<>(
                PARTITION.topic(),
                PARTITION.partition(),
                offset,
                SENT,
                TimestampType.CREATE_TIME,
                key.length,
                value.length,
                key,
                value,
                headers,
                Optional.empty());
    }
}
