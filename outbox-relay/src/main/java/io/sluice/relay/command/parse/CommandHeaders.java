package io.sluice.relay.command.parse;

import io.sluice.provider.TraceContext;
import io.sluice.relay.deadletter.DeadLetter;
import io.sluice.relay.reply.ReplyTopics;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a command's record. Each relevant header may occur once at most and must be text in UTF-8: one that
 * occurs twice or can't be read makes the command invalid, as the relay does not guess.
 *
 * @param commandId null when no header has it
 * @param source the CloudEvents source to which the id belongs; null when there is none
 * @param deadlineMillis from then on the command is refused; null for no deadline
 * @param replyTopic the topic for the reply; null for no reply
 * @param correlationId copied to the reply; null for none
 * @param resentFrom the place of the dead letter that an operator sent again; null for a command from its sender
 * @param trace the trace of the command; null for none, also when it is malformed, as W3C Trace Context requires
 */
public record CommandHeaders(
        @Nullable String commandId,
        @Nullable String source,
        @Nullable Long deadlineMillis,
        @Nullable String replyTopic,
        @Nullable String correlationId,
        @Nullable String resentFrom,
        @Nullable TraceContext trace) {
    public static final String CLOUD_EVENT_ID = "ce_id";
    public static final String CLOUD_EVENT_SOURCE = "ce_source";
    public static final String COMMAND_ID = "command-id";
    public static final String DEADLINE = "x-tpf-deadline-epoch-ms";
    public static final String CORRELATION_ID = "correlation-id";
    /** Maximum bytes of a header: headers are copied to replies and dead letters, which must not become too large. */
    public static final int MAX_BYTES = 4_096;

    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    private static final Pattern MILLIS = Pattern.compile("[0-9]{1,18}");

    /**
     * Reads them.
     *
     * @throws InvalidCommandException naming the header and its fault
     */
    static CommandHeaders of(ConsumerRecord<byte[], byte[]> message) throws InvalidCommandException {
        var cloudEventId = text(message, CLOUD_EVENT_ID);
        var commandId = text(message, COMMAND_ID);
        return new CommandHeaders(
                cloudEventId == null ? commandId : cloudEventId,
                cloudEventId == null ? null : text(message, CLOUD_EVENT_SOURCE),
                deadline(text(message, DEADLINE)),
                replyTopic(text(message, ReplyTopics.HEADER)),
                text(message, CORRELATION_ID),
                text(message, DeadLetter.RESENT_FROM),
                TraceContext.parse(lenient(message, "traceparent"), lenient(message, "tracestate"))
                        .orElse(null));
    }

    /** The reply topic of an invalid command, if its header can be read. */
    static @Nullable String readableReplyTopic(ConsumerRecord<byte[], byte[]> message) {
        return readable(() -> replyTopic(text(message, ReplyTopics.HEADER)));
    }

    /** The id of an invalid command, if its header can be read. */
    static @Nullable String readableCommandId(ConsumerRecord<byte[], byte[]> message) {
        return readable(() -> {
            var cloudEventId = text(message, CLOUD_EVENT_ID);
            return cloudEventId == null ? text(message, COMMAND_ID) : cloudEventId;
        });
    }

    private static @Nullable String readable(Reading reading) {
        try {
            return reading.read();
        } catch (InvalidCommandException e) {
            return null;
        }
    }

    /** Reads a header that may be invalid. */
    private interface Reading {
        @Nullable
        String read() throws InvalidCommandException;
    }

    private static @Nullable Long deadline(@Nullable String text) throws InvalidCommandException {
        if (text == null) {
            return null;
        }
        if (!MILLIS.matcher(text).matches()) {
            throw new InvalidCommandException(
                    "header " + DEADLINE + " must be milliseconds since 1970, was '" + shown(text) + "'");
        }
        return Long.valueOf(text);
    }

    private static @Nullable String replyTopic(@Nullable String text) throws InvalidCommandException {
        if (text != null && (!TOPIC.matcher(text).matches() || text.equals(".") || text.equals(".."))) {
            throw new InvalidCommandException("header " + ReplyTopics.HEADER
                    + " must be a topic's name (1 to 249 letters, digits, dots, underscores and hyphens), was '"
                    + shown(text) + "'");
        }
        return text;
    }

    private static @Nullable String text(ConsumerRecord<byte[], byte[]> message, String name)
            throws InvalidCommandException {
        Header found = null;
        for (Header header : message.headers().headers(name)) {
            if (found != null) {
                throw new InvalidCommandException("header " + name + " is there more than once");
            }
            found = header;
        }
        if (found == null) {
            return null;
        }
        if (found.value() == null || found.value().length == 0) {
            throw new InvalidCommandException("header " + name + " has no value");
        }
        if (found.value().length > MAX_BYTES) {
            throw new InvalidCommandException(
                    "header " + name + " is too large: at most " + MAX_BYTES + " bytes, was " + found.value().length);
        }
        try {
            return decoded(found.value());
        } catch (CharacterCodingException e) {
            throw new InvalidCommandException("header " + name + " is not UTF-8");
        }
    }

    private static @Nullable String lenient(ConsumerRecord<byte[], byte[]> message, String name) {
        return readable(() -> text(message, name));
    }

    private static String decoded(byte[] value) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(value))
                .toString();
    }

    /** The beginning of a text; the dead letter has the whole. */
    static String shown(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }
}
