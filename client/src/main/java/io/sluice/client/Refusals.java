package io.sluice.client;

import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Reads refusals from {@code <prefix>.dead-letters}: the one place where a relay can tell of a command whose reply
 * topic it refuses. Such a record has the command's own key and headers, and the reason.
 */
final class Refusals {
    private static final String KIND = "sluice-kind";
    private static final String COMMAND = "command";
    private static final String COMMAND_ID = "sluice-command-id";
    private static final String REASON = "sluice-reason";

    private Refusals() {}

    /**
     * The refusal of a command that asked for a reply on this topic; empty for all others, whose replies somebody else
     * awaits.
     */
    static Optional<Reply.Rejected> read(ConsumerRecord<byte[], byte[]> letter, String replyTopic) {
        var commandId = ReplyJson.header(letter, COMMAND_ID);
        if (commandId == null
                || !COMMAND.equals(ReplyJson.header(letter, KIND))
                || !replyTopic.equals(ReplyJson.header(letter, CommandJson.REPLY_TOPIC))) {
            return Optional.empty();
        }
        var reason = ReplyJson.header(letter, REASON);
        return Optional.of(new Reply.Rejected(
                commandId, reason == null ? "" : reason, ReplyJson.header(letter, CommandJson.CORRELATION_ID)));
    }
}
